//! Both forms of one state on every backend. Otherwise a CPU runs only its faster form.

use super::STATE;
use super::plane::{Form, PlaneRow};
use super::rounds::{CONSTANTS, invert, permute};
use super::single::{Best, OnOneState};
use crate::Backend;
use crate::isa::{Extension, Isa, Rows, Sink, Task, WordRow};

/// Does work in rows.
pub(crate) struct InRows<T>(pub(crate) T);

impl<T: OnOneState> Task for InRows<T> {
    type Out = T::Out;
    const EXTENSION: Extension = Extension::None;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> T::Out {
        self.0.call::<S, S::Row32>(isa)
    }
}

/// Does work in words.
pub(crate) struct InWords<T>(pub(crate) T);

impl<T: OnOneState> Task for InWords<T> {
    type Out = T::Out;
    const EXTENSION: Extension = Extension::None;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> T::Out {
        self.0.call::<S, WordRow<u32, 4>>(isa)
    }
}

/// All rounds, and their inverse.
struct ThereAndBack<'a>(&'a mut [u8; STATE]);

impl OnOneState for ThereAndBack<'_> {
    type Out = [u8; STATE];
    #[inline(always)]
    fn call<S: Isa, R: Rows<S, u32>>(self, isa: S) -> [u8; STATE] {
        let mut a = <PlaneRow<R> as Form<S, u32>>::gather(isa, self.0);
        permute(isa, &mut a, &CONSTANTS);
        <PlaneRow<R> as Form<S, u32>>::scatter(a, Sink::new(self.0));
        invert(isa, &mut a, &CONSTANTS);
        let mut back = [0; STATE];
        <PlaneRow<R> as Form<S, u32>>::scatter(a, Sink::new(&mut back));
        back
    }
}

#[test]
fn both_forms_give_the_published_iterates() {
    let file = include_str!("../../../tests/vectors/xoodoo/xoodoo_iter384.txt");
    let lines = file.lines().filter_map(|l| l.split_once(','));
    let iterates: std::vec::Vec<&str> =
        lines.filter(|(n, _)| n.parse::<u32>().is_ok()).map(|(_, hex)| hex).collect();
    assert!(iterates.len() > 3);
    for backend in Backend::available() {
        for form in 0..3 {
            let mut state = [0; STATE];
            for (n, expected) in iterates.iter().take(9).enumerate() {
                let before = state;
                let work = ThereAndBack(&mut state);
                let back = match form {
                    0 => backend.run(InRows(work)),
                    1 => backend.run(InWords(work)),
                    _ => backend.run(Best(work)),
                };
                assert_eq!(back, before, "form {form} on {backend}");
                let hex: std::string::String =
                    state.iter().map(|byte| std::format!("{byte:02x}")).collect();
                assert_eq!(&hex, expected, "iterate {} in form {form} on {backend}", n + 1);
            }
        }
    }
}
