//! Models: shapes, refusals, and that they learn.

use ivy::nn::optim::{Adam, clip_by_global_norm};
use ivy::nn::{
    Activation, Conv2d, Dropout, Embedding, Layer, LayerNorm, Linear, Lstm, Mode, MultiHeadAttention,
    Sequential,
};
use ivy::prelude::*;
use ivy::{Generator, Result};

#[test]
fn a_network_learns_the_exclusive_or() -> Result<()> {
    let mut generator = Generator::new(3);
    let x = Array::try_from([[0.0f32, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])?;
    let y = Array::try_from([[0.0f32], [1.0], [1.0], [0.0]])?;
    let mut model = Sequential::new([
        Linear::new(2, 8, &mut generator)?.into(),
        Activation::Tanh.into(),
        Linear::new(8, 1, &mut generator)?.into(),
    ]);
    let loss = |model: &Sequential| {
        ivy::mean(ivy::square(ivy::subtract(model.forward(&x, &mut Mode::Eval)?, &y)?)?, ())
    };
    let adam = Adam::new(0.05);
    let mut state = adam.init(&model)?;
    for _ in 0..300 {
        let gradient = clip_by_global_norm(&ivy::grad(loss)(&model)?, 1.0)?;
        (model, state) = adam.update(&model, &gradient, &state)?;
    }
    let last = loss(&model)?.item::<f32>()?;
    assert!(last < 1e-3, "{last}");
    Ok(())
}

#[test]
fn every_layer_has_a_gradient_of_its_own_structure() -> Result<()> {
    let mut generator = Generator::new(5);
    let image = Sequential::new([
        Conv2d::new([3, 3], 1, 2, &mut generator)?.into(),
        Activation::Relu.into(),
        Layer::MaxPool2d(2),
        Layer::Flatten,
        Dropout { probability: 0.5 }.into(),
        Linear::new(8, 4, &mut generator)?.into(),
        LayerNorm::new(4)?.into(),
    ]);
    let x = ivy::ones([3, 4, 4, 1], ())?;
    let loss = |model: &Sequential| {
        let mut mode = Mode::Train(Generator::new(1));
        ivy::sum(ivy::square(model.forward(&x, &mut mode)?)?, ())
    };
    let gradient = ivy::grad(loss)(&image)?;
    assert_eq!(ivy::Tree::paths(&gradient)?, ivy::Tree::paths(&image)?);
    // Dropout draws: two passes of one generator differ, and a use has none.
    let dropped = Dropout { probability: 0.5 };
    let mut mode = Mode::Train(Generator::new(1));
    let ones = ivy::ones(64, ())?;
    let (first, second) = (dropped.forward(&ones, &mut mode)?, dropped.forward(&ones, &mut mode)?);
    assert_ne!(first.to_vec::<f32>()?, second.to_vec::<f32>()?);
    assert_eq!(dropped.forward(&ones, &mut Mode::Eval)?.to_vec::<f32>()?, ones.to_vec::<f32>()?);

    let table = Embedding::new(5, 8, &mut generator)?;
    let attention = MultiHeadAttention::new(8, 2, &mut generator)?;
    let memory = Lstm::new(8, 3, &mut generator)?;
    let words = Array::try_from([[0i64, 1, 4], [2, 2, 3]])?;
    let loss = |(table, attention, memory): &(Embedding, MultiHeadAttention, Lstm)| {
        let x = attention.forward(&table.forward(&words)?, true)?;
        ivy::sum(ivy::square(memory.forward(&x, None)?.hidden)?, ())
    };
    let (of_table, _, _) = ivy::grad(loss)(&(table, attention, memory))?;
    assert_eq!(of_table.weight.shape().to_string(), "(5, 8)");
    Ok(())
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut generator = Generator::new(0);
    let x = ivy::ones([2, 5], ()).unwrap();
    let text = |error: ivy::Error| error.to_string();
    let linear = Linear::new(3, 2, &mut generator).unwrap();
    assert_eq!(
        text(linear.forward(&x).unwrap_err()),
        "Linear: x has shape (2, 5), 3 elements along the last axis is needed"
    );
    assert!(linear.forward(&ivy::ones([], ()).unwrap()).is_err());
    let heads = text(MultiHeadAttention::new(8, 3, &mut generator).unwrap_err());
    assert!(heads.contains("multiple"), "{heads}");
    assert!(MultiHeadAttention::new(8, 0, &mut generator).is_err());
    let likely = Dropout { probability: 1.5 }.forward(&x, &mut Mode::Train(Generator::new(0)));
    assert!(likely.is_err());
    let word = Embedding::new(3, 2, &mut generator).unwrap().forward(&Array::try_from([3i64]).unwrap());
    assert!(text(word.unwrap_err()).contains("3"));
    let whole = ivy::nn::he_normal([2], ivy::nn::Fans::linear(1, 1), Dtype::INT32, &mut generator);
    assert!(text(whole.unwrap_err()).contains("parameters are floats"));
}
