//! Libraries of the machine, loaded when the benchmark runs: it is built and runs on machines without them too.

#![allow(unsafe_code, reason = "loads libraries in C")]

use libloading::Library;

/// The first library of these names that the machine has. It stays loaded.
///
/// # Safety
/// What these libraries run when they are loaded must be what they run in every program that is linked with them.
pub(super) unsafe fn library(names: &[&str]) -> Option<&'static Library> {
    // SAFETY: the caller's promise.
    let library = names.iter().find_map(|name| unsafe { Library::new(*name) }.ok())?;
    Some(Box::leak(Box::new(library)))
}

/// A function of a library; its name ends with a zero.
///
/// # Safety
/// `F` must be a pointer to a function, and the type of the one of this name.
pub(super) unsafe fn function<F: Copy>(library: &'static Library, name: &[u8]) -> Option<F> {
    // SAFETY: the caller's promise.
    unsafe { library.get::<F>(name) }.ok().map(|function| *function)
}
