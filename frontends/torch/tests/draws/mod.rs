//! Random numbers: all that draws takes a generator, and what is drawn follows from it.

use ivy_core::Result;
use ivy_core::functional::Generator;
use ivy_frontend::{Value, kw};
use ivy_frontend_torch::{TORCH, Tensor};

/// Functions that take a generator, and their other arguments.
fn calls() -> Result<Vec<(&'static str, Vec<Value<'static>>)>> {
    let half = || Ok::<_, ivy_core::Error>(Value::from(Tensor::new([0.5; 64])?.ivy_array().clone()));
    let shape = || Value::Tuple(vec![64i64.into()]);
    Ok(vec![
        ("rand", vec![64i64.into()]),
        ("randn", vec![64i64.into()]),
        ("rand_like", vec![half()?]),
        ("randn_like", vec![half()?]),
        ("randint", vec![0i64.into(), 1000i64.into(), shape()]),
        ("randint_like", vec![half()?, 1000i64.into()]),
        ("randperm", vec![64i64.into()]),
        ("normal", vec![half()?, 2.0.into()]),
        ("bernoulli", vec![half()?]),
        ("multinomial", vec![half()?, 32i64.into()]),
        ("multinomial", vec![half()?, 32i64.into(), true.into()]),
        ("poisson", vec![half()?]),
        ("Tensor.uniform_", vec![half()?]),
        ("Tensor.normal_", vec![half()?]),
        ("Tensor.exponential_", vec![half()?]),
        ("Tensor.random_", vec![half()?]),
        ("Tensor.bernoulli_", vec![half()?]),
    ])
}

#[test]
fn draws_follow_from_their_generator() -> Result<()> {
    for (path, arguments) in calls()? {
        let draw = |generator: &Value<'static>| -> Result<Vec<f64>> {
            let drawn = TORCH.call(path, &arguments, kw! { generator: generator.borrowed() })?;
            ivy_core::functional::astype(drawn.as_array().expect("an array"), ivy_core::Dtype::FLOAT64)?
                .to_vec()
        };
        let generator = Value::from(Generator::new(5));
        let (first, second) = (draw(&generator)?, draw(&generator)?);
        assert_eq!(draw(&Generator::new(5).into())?, first, "{path}");
        assert_ne!(first, second, "{path}");
        let error = draw(&"a".into()).unwrap_err().to_string();
        assert!(error.contains("a Generator is needed, or a seed"), "{path}: {error}");
    }
    Ok(())
}
