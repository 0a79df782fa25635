//! A whole S-box from its parts: map in, power, map out.

use crate::builder::{Builder, Wire};
use crate::linear::{Chooser, Rows};
use crate::muxed::{Embedding, forms};
use crate::network::Network;
use crate::tower::Tower;

/// The choices that define an S-box's network.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub tower: Tower,
    pub embeddings: [Embedding; 4],
}

/// The network of an S-box around one for x^56. Inputs are `x[0]` (most significant) to `x[9]`, outputs likewise.
#[must_use]
pub fn assemble(
    sbox: usize,
    choice: &Choice,
    power: &Network,
    inward: &Chooser,
    outward: &Chooser,
) -> Network {
    let mut net = Builder::new(10);
    let rows = Rows { hi: net.input(0), lo: net.input(9) };
    let column: [Wire; 8] = std::array::from_fn(|bit| net.input(8 - bit as u16));
    let (forms_in, forms_out) = forms(choice.tower, sbox, &choice.embeddings);
    let y = inward.build(&mut net, &forms_in, rows, &column);
    let power = net.embed(power, &y).try_into().expect("eight bits");
    let mut outputs = outward.build(&mut net, &forms_out, rows, &power);
    outputs.reverse();
    net.finish(&outputs)
}
