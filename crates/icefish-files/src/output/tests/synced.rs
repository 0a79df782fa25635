//! Bringing the name of a file to the disk.

use super::folder;
use crate::output::temporary::{is_refusal, sync_folder};
use rustix::io::Errno;
use std::io::ErrorKind;

#[test]
fn a_refusal_is_no_failure() {
    let refused =
        [Errno::INVAL, Errno::NOTSUP, Errno::NOSYS, Errno::BADF, Errno::ACCESS, Errno::ROFS];
    assert!(refused.into_iter().all(|e| is_refusal(&e.into())));
    let failed = [Errno::IO, Errno::NOSPC, Errno::DQUOT, Errno::MFILE, Errno::NOENT];
    assert!(!failed.into_iter().any(|e| is_refusal(&e.into())));
}

#[test]
fn a_folder_that_is_gone_is_an_error() {
    let folder = folder();
    let path = folder.path().to_owned();
    sync_folder(&path).expect("a folder of this machine");
    folder.close().expect("ours");
    let error = sync_folder(&path).expect_err("no folder");
    assert_eq!(error.kind(), ErrorKind::NotFound);
}
