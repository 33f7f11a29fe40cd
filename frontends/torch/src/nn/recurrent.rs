//! Recurrent layers over sequences.

use super::arguments::{Arguments, refuse};
use super::cells::{Cell, Elman, GatedUnit, LongShortTermMemory};
use super::{Module, Parameter, Part, PartMut, Training, functional as F, init, joined};
use crate::{Keywords, Tensor, kw};
use ivy_core::Result;
use ivy_frontend::Fault;
use std::marker::PhantomData;

/// `torch.nn.RNN`: Elman's network.
pub type RNN = Recurrent<Elman>;
/// `torch.nn.LSTM`.
pub type LSTM = Recurrent<LongShortTermMemory>;
/// `torch.nn.GRU`.
pub type GRU = Recurrent<GatedUnit>;

/// The hidden states of a recurrent layer, `[layers * directions, batch, hidden]`, and of an LSTM the cell states.
#[derive(Clone, Debug)]
pub struct States {
    /// The hidden states.
    pub hidden: Tensor,
    /// The cell states of an LSTM.
    pub cell: Option<Tensor>,
}

/// A recurrent layer, or several on top of each other, in one direction or both.
///
/// ```
/// use ivy_backend_ndarray as _;
/// use ivy_frontend_torch::nn::GRU;
/// use ivy_frontend_torch::{kw, ones};
/// let mut layers = GRU::new(3, 4, kw! { num_layers: 2, batch_first: true })?;
/// let (output, states) = layers.forward(&ones([2, 5, 3], ())?, None)?;
/// assert_eq!(output.shape().to_string(), "(2, 5, 4)");
/// assert_eq!(states.hidden.shape().to_string(), "(2, 2, 4)");
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recurrent<C> {
    pub(super) layers: Vec<Layer>,
    input_size: usize,
    hidden_size: usize,
    batch_first: bool,
    bidirectional: bool,
    pub(super) rectified: bool,
    dropout: f64,
    training: Training,
    cell: PhantomData<fn() -> C>,
}

/// The weights of one layer in one direction.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// What names end with: `_l0`, `_l0_reverse`.
    suffix: String,
    pub(super) weight_ih: Parameter,
    pub(super) weight_hh: Parameter,
    pub(super) bias: Option<[Parameter; 2]>,
}

impl Layer {
    pub(super) fn named(&self) -> impl Iterator<Item = (&str, &Parameter)> {
        let biases = self.bias.iter().flat_map(|[ih, hh]| [("bias_ih", ih), ("bias_hh", hh)]);
        [("weight_ih", &self.weight_ih), ("weight_hh", &self.weight_hh)].into_iter().chain(biases)
    }

    pub(super) fn named_mut(&mut self) -> impl Iterator<Item = (&str, &mut Parameter)> {
        let biases = self.bias.iter_mut().flat_map(|[ih, hh]| [("bias_ih", ih), ("bias_hh", hh)]);
        [("weight_ih", &mut self.weight_ih), ("weight_hh", &mut self.weight_hh)].into_iter().chain(biases)
    }
}

impl<C: Cell> Module for Recurrent<C> {
    fn visit<'a>(&'a self, path: &str, f: &mut dyn FnMut(&str, Part<'a>)) {
        for layer in &self.layers {
            layer.named().for_each(|(name, p)| p.visit(&joined(path, &format!("{name}{}", layer.suffix)), f));
        }
    }

    fn visit_mut(&mut self, path: &str, f: &mut dyn FnMut(&str, PartMut<'_>) -> Result<()>) -> Result<()> {
        for layer in &mut self.layers {
            let suffix = layer.suffix.clone();
            layer
                .named_mut()
                .try_for_each(|(name, p)| p.visit_mut(&joined(path, &format!("{name}{suffix}")), f))?;
        }
        self.training.visit_mut(&joined(path, "training"), f)
    }
}

impl<C: Cell> Recurrent<C> {
    /// `nn.LSTM(input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, dtype=None)`,
    /// and of `nn.RNN` `nonlinearity="tanh"`.
    ///
    /// # Errors
    /// For other keyword arguments, and sizes of 0.
    pub fn new<'a>(input_size: usize, hidden_size: usize, keywords: impl Into<Keywords<'a>>) -> Result<Self> {
        let mut arguments = Arguments::new(C::CLASS, keywords);
        let (layers, bias) = (arguments.size("num_layers", 1)?, arguments.bool("bias", true)?);
        let (batch_first, bidirectional) =
            (arguments.bool("batch_first", false)?, arguments.bool("bidirectional", false)?);
        let dropout = arguments.float("dropout", 0.0)?;
        let nonlinearity =
            if C::GATES == 1 { arguments.text("nonlinearity", "tanh")? } else { "tanh".into() };
        let dtype = arguments.dtype()?;
        arguments.end()?;
        for (name, size) in [("hidden_size", hidden_size), ("num_layers", layers)] {
            if size == 0 {
                return Err(refuse(C::CLASS, name, "0".into(), "must be greater than zero", Fault::Value));
            }
        }
        if !["tanh", "relu"].contains(&nonlinearity.as_str()) {
            let value = format!("'{nonlinearity}'");
            return Err(refuse(C::CLASS, "nonlinearity", value, "'tanh' or 'relu' is needed", Fault::Value));
        }
        let (directions, rows) = (1 + usize::from(bidirectional), C::GATES * hidden_size);
        let bound = (hidden_size as f64).sqrt().recip();
        let parameter = |shape: &[usize]| {
            let mut made = init::empty(shape, dtype)?;
            init::uniform_(&mut made, -bound, bound)?;
            Ok::<_, ivy_core::Error>(made)
        };
        let layer = |place: usize| {
            let (layer, reverse) = (place / directions, place % directions == 1);
            let inputs = if layer == 0 { input_size } else { hidden_size * directions };
            let (weight_ih, weight_hh) = (parameter(&[rows, inputs])?, parameter(&[rows, hidden_size])?);
            let bias = if bias { Some([parameter(&[rows])?, parameter(&[rows])?]) } else { None };
            let suffix = format!("_l{layer}{}", if reverse { "_reverse" } else { "" });
            Ok(Layer { suffix, weight_ih, weight_hh, bias })
        };
        Ok(Recurrent {
            layers: (0..layers * directions).map(layer).collect::<Result<_>>()?,
            input_size,
            hidden_size,
            batch_first,
            bidirectional,
            rectified: nonlinearity == "relu",
            dropout,
            training: Training::default(),
            cell: PhantomData,
        })
    }

    /// The outputs of all steps, `[length, batch, hidden * directions]`, with the batch first if the layer was made so, and the states
    /// after the last one. The first states are zeros if none are given. Without a batch there is no such axis.
    ///
    /// # Errors
    /// [`FrontendCall`](ivy_core::ErrorKind::FrontendCall) for inputs and states of other sizes.
    pub fn forward(&mut self, input: &Tensor, states: Option<&States>) -> Result<(Tensor, States)> {
        let given = |tensor: &Tensor| format!("a tensor of shape {}", tensor.shape());
        if !matches!(input.ndim(), 2 | 3) || input.shape().last() != Some(&self.input_size) {
            let rule =
                format!("2 or 3 axes are needed, the last of input_size ({}) elements", self.input_size);
            return Err(refuse(C::CLASS, "input", given(input), rule, Fault::Runtime));
        }
        let batched = input.ndim() == 3;
        let exchange = self.batch_first && batched;
        let mut x = match batched {
            false => crate::unsqueeze(input, 1, ())?,
            true if exchange => crate::transpose(input, 0, 1, ())?,
            true => input.clone(),
        };
        let shape = [self.layers.len(), x.shape()[1], self.hidden_size];
        let zeros = crate::zeros([&shape[..]], kw! { dtype: input.dtype() })?;
        let state = |state: Option<&Tensor>| match state {
            None => Ok(zeros.clone()),
            Some(state) => {
                let state = if batched { state.clone() } else { crate::unsqueeze(state, 1, ())? };
                if state.shape()[..] == shape {
                    return Ok(state);
                }
                let rule = format!("the shape ({}, {}, {}) is needed", shape[0], shape[1], shape[2]);
                Err(refuse(C::CLASS, "states", given(&state), rule, Fault::Runtime))
            }
        };
        let (hidden, cell) =
            (state(states.map(|s| &s.hidden))?, state(states.and_then(|s| s.cell.as_ref()))?);
        let directions = 1 + usize::from(self.bidirectional);
        let mut last: [Vec<Tensor>; 2] = Default::default();
        for (number, pair) in self.layers.chunks(directions).enumerate() {
            let mut parts = Vec::new();
            for (direction, layer) in pair.iter().enumerate() {
                let place = (number * directions + direction) as i64;
                let first = [hidden.get(ivy_core::s![place])?, cell.get(ivy_core::s![place])?];
                let (outputs, states) = layer.along::<C>(&x, first, direction == 1, self.rectified)?;
                parts.push(outputs);
                last.iter_mut().zip(states).for_each(|(list, state)| list.push(state));
            }
            x = crate::cat(parts, kw! { dim: -1 })?;
            if self.dropout > 0.0 && self.training.0 && number + 1 < self.layers.len() / directions {
                x = F::dropout(&x, kw! { p: self.dropout })?;
            }
        }
        let back = |x: Tensor| if batched { Ok(x) } else { crate::squeeze(&x, kw! { dim: 1 }) };
        let output = if exchange { crate::transpose(&x, 0, 1, ())? } else { back(x)? };
        let [hidden, cell] = last;
        let hidden = back(crate::stack(hidden, ())?)?;
        let cell = if C::HAS_CELL { Some(back(crate::stack(cell, ())?)?) } else { None };
        Ok((output, States { hidden, cell }))
    }
}

impl Layer {
    /// The outputs of all steps, and the last states.
    fn along<C: Cell>(
        &self,
        x: &Tensor,
        mut states: [Tensor; 2],
        reverse: bool,
        rectified: bool,
    ) -> Result<(Tensor, [Tensor; 2])> {
        let [bias_ih, bias_hh] = [0, 1].map(|i| self.bias.as_ref().map(|bias| &bias[i]));
        let gates = F::linear(x, &self.weight_ih, kw! { bias: bias_ih })?;
        let length = x.shape()[0];
        let mut outputs = vec![None; length];
        for step in 0..length {
            let at = if reverse { length - 1 - step } else { step };
            let own = gates.get(ivy_core::s![at as i64])?;
            let hidden = F::linear(&states[0], &self.weight_hh, kw! { bias: bias_hh })?;
            states = C::step([&own, &hidden], [&states[0], &states[1]], rectified)?;
            outputs[at] = Some(states[0].clone());
        }
        let outputs: Vec<Tensor> = outputs.into_iter().flatten().collect();
        Ok((crate::stack(outputs, ())?, states))
    }
}
