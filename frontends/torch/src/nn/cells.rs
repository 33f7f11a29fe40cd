//! Steps of recurrent layers: Elman's network, LSTM and GRU.
//!
//! S. Hochreiter and J. Schmidhuber, "Long short-term memory", 1997; K. Cho et al., "Learning phrase representations", 2014.

use super::arguments::refuse;
use super::recurrent::{Layer, Recurrent, States};
use super::{Module, Part, PartMut, functional as F, joined};
use crate::{Keywords, Tensor, kw};
use ivy_core::Result;
use ivy_frontend::Fault;
use std::marker::PhantomData;

/// What a recurrent layer computes at each step.
pub trait Cell {
    /// The class.
    const CLASS: &'static str;
    /// How many rows of weights there are for each hidden unit.
    const GATES: usize;
    /// Whether there is a cell state beside the hidden one.
    const HAS_CELL: bool;

    /// The next hidden and cell state, of the gates of the input and of the hidden state.
    ///
    /// # Errors
    /// Those of arithmetic.
    fn step(gates: [&Tensor; 2], states: [&Tensor; 2], rectified: bool) -> Result<[Tensor; 2]>;
}

/// Gate `k` of `n` along the last axis.
fn gate(gates: &Tensor, k: usize, n: usize) -> Result<Tensor> {
    let size = gates.shape().last().map_or(0, |all| all / n);
    crate::narrow(gates, -1, k * size, size, ())
}

/// Elman's network: `tanh(W x + b + U h + c)`, or with a rectifier.
#[derive(Clone, Copy, Debug)]
pub struct Elman;

impl Cell for Elman {
    const CLASS: &'static str = "nn.RNN";
    const GATES: usize = 1;
    const HAS_CELL: bool = false;

    fn step([x, h]: [&Tensor; 2], [_, cell]: [&Tensor; 2], rectified: bool) -> Result<[Tensor; 2]> {
        let total = (x + h).ok()?;
        let next = if rectified { crate::relu(&total, ())? } else { crate::tanh(&total, ())? };
        Ok([next, cell.clone()])
    }
}

/// Long short-term memory.
#[derive(Clone, Copy, Debug)]
pub struct LongShortTermMemory;

impl Cell for LongShortTermMemory {
    const CLASS: &'static str = "nn.LSTM";
    const GATES: usize = 4;
    const HAS_CELL: bool = true;

    fn step([x, h]: [&Tensor; 2], [_, cell]: [&Tensor; 2], _: bool) -> Result<[Tensor; 2]> {
        let total = (x + h).ok()?;
        let share = |k: usize| crate::sigmoid(&gate(&total, k, 4)?, ());
        let kept = (share(1)? * cell).ok()?;
        let next = (kept + share(0)? * crate::tanh(&gate(&total, 2, 4)?, ())?).ok()?;
        Ok([(share(3)? * crate::tanh(&next, ())?).ok()?, next])
    }
}

/// Gated recurrent unit.
#[derive(Clone, Copy, Debug)]
pub struct GatedUnit;

impl Cell for GatedUnit {
    const CLASS: &'static str = "nn.GRU";
    const GATES: usize = 3;
    const HAS_CELL: bool = false;

    fn step([x, h]: [&Tensor; 2], [hidden, cell]: [&Tensor; 2], _: bool) -> Result<[Tensor; 2]> {
        let share = |k: usize| crate::sigmoid(&(gate(x, k, 3)? + gate(h, k, 3)?).ok()?, ());
        let new = crate::tanh(&(gate(x, 2, 3)? + share(0)? * gate(h, 2, 3)?).ok()?, ())?;
        let kept = (hidden - &new).ok()?;
        Ok([(new + share(1)? * kept).ok()?, cell.clone()])
    }
}

/// `torch.nn.RNNCell`: one step of Elman's network.
pub type RNNCell = RecurrentCell<Elman>;
/// `torch.nn.LSTMCell`.
pub type LSTMCell = RecurrentCell<LongShortTermMemory>;
/// `torch.nn.GRUCell`.
pub type GRUCell = RecurrentCell<GatedUnit>;

/// One step of a recurrent layer.
#[derive(Clone, Debug)]
pub struct RecurrentCell<C> {
    layer: Layer,
    hidden_size: usize,
    rectified: bool,
    cell: PhantomData<fn() -> C>,
}

impl<C: Cell> Module for RecurrentCell<C> {
    fn visit<'a>(&'a self, path: &str, f: &mut dyn FnMut(&str, Part<'a>)) {
        self.layer.named().for_each(|(name, p)| p.visit(&joined(path, name), f));
    }

    fn visit_mut(&mut self, path: &str, f: &mut dyn FnMut(&str, PartMut<'_>) -> Result<()>) -> Result<()> {
        self.layer.named_mut().try_for_each(|(name, p)| p.visit_mut(&joined(path, name), f))
    }
}

impl<C: Cell> RecurrentCell<C> {
    /// `nn.LSTMCell(input_size, hidden_size, bias=True, dtype=None)`, and of `nn.RNNCell` `nonlinearity="tanh"`.
    ///
    /// # Errors
    /// As [`Recurrent::new`].
    pub fn new<'a>(input_size: usize, hidden_size: usize, keywords: impl Into<Keywords<'a>>) -> Result<Self> {
        let keywords = keywords.into();
        let layers = ["num_layers", "batch_first", "dropout", "bidirectional"];
        if let Some((name, value)) = keywords.iter().find(|(name, _)| layers.contains(name)) {
            return Err(refuse(
                C::CLASS,
                name,
                value.told(),
                "a cell has one layer and one step",
                Fault::Type,
            ));
        }
        let mut made = Recurrent::<C>::new(input_size, hidden_size, keywords)?;
        let layer = made.layers.remove(0);
        Ok(RecurrentCell { layer, hidden_size, rectified: made.rectified, cell: PhantomData })
    }

    /// The states after a step, of `[batch, input_size]` or `[input_size]`; zeros before it if none are given.
    ///
    /// # Errors
    /// Those of the functions that it calls, for inputs and states of other sizes.
    pub fn forward(&mut self, input: &Tensor, states: Option<&States>) -> Result<States> {
        let mut shape = input.shape().to_vec();
        shape.last_mut().into_iter().for_each(|size| *size = self.hidden_size);
        let zeros = crate::zeros([&shape[..]], kw! { dtype: input.dtype() })?;
        let [bias_ih, bias_hh] = [0, 1].map(|i| self.layer.bias.as_ref().map(|bias| &bias[i]));
        let hidden = states.map_or(&zeros, |states| &states.hidden);
        let cell = states.and_then(|states| states.cell.as_ref()).unwrap_or(&zeros);
        let own = F::linear(input, &self.layer.weight_ih, kw! { bias: bias_ih })?;
        let kept = F::linear(hidden, &self.layer.weight_hh, kw! { bias: bias_hh })?;
        let [hidden, cell] = C::step([&own, &kept], [hidden, cell], self.rectified)?;
        Ok(States { hidden, cell: C::HAS_CELL.then_some(cell) })
    }
}
