//! Modules, optimisers and schedules beside what PyTorch gave: `bindings/python/tests/torch_modules.json`, which
//! `tools/record_frontend/torch_modules.py` writes of the cases in `bindings/python/tests/module_cases.py`.

mod optimisers;

use ivy_backend_ndarray as _;
use ivy_core::{Array, Result};
use ivy_frontend_torch as torch;
use serde_json::Value as Json;
use std::path::Path;
use std::sync::LazyLock;
use torch::nn::{self, Forward, Module, Sequential};
use torch::{Tensor, Value, autograd, kw};

static RECORD: LazyLock<Json> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/python/tests/torch_modules.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("the record is there"))
        .expect("a record is JSON")
});

/// Numbers that look like chance, as `module_cases.py` has them.
fn numbers_scaled(shape: &[usize], scale: f64, start: f64) -> Tensor {
    let count: usize = shape.iter().product();
    let elements = (0..count).map(|i| (scale * (1.7 * i as f64 + start).sin()) as f32).collect();
    Tensor::from(Array::from_vec(elements, shape.to_vec()).expect("as many elements as the shape has"))
}

fn x(shape: &[usize]) -> Tensor {
    numbers_scaled(shape, 1.0, 0.3)
}

fn y(shape: &[usize], start: f64) -> Tensor {
    numbers_scaled(shape, 1.0, start)
}

fn leaf(tensor: &Tensor) -> Result<Tensor> {
    Ok(Tensor::from(autograd::require_grad(tensor.ivy_array())?))
}

/// The elements beside recorded ones, as near as two float32 programs are.
fn close(what: &str, found: &Tensor, recorded: &Json) {
    let found: Vec<f64> =
        Tensor::from(ivy_core::functional::astype(found.ivy_array(), ivy_core::Dtype::FLOAT64).unwrap())
            .to_vec()
            .unwrap();
    let recorded: Vec<f64> =
        recorded.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect();
    assert_eq!(found.len(), recorded.len(), "{what}");
    for (i, (a, b)) in found.iter().zip(&recorded).enumerate() {
        assert!((a - b).abs() <= 2e-5 * (1.0 + b.abs()), "{what}, element {i}: {a} and not {b}");
    }
}

/// Whether a result, its derivatives, names and buffers are as recorded.
fn check<M: Module>(
    name: &str,
    mut module: M,
    input: &Tensor,
    call: impl FnOnce(&mut M, &Tensor) -> Result<Vec<Tensor>>,
) -> Result<()> {
    let record = &RECORD["modules"][name];
    assert!(!record.is_null(), "{name} is not recorded");
    let mut number = 0;
    module.visit_mut("", &mut |_, part| {
        if let nn::PartMut::Parameter(parameter) = part {
            parameter.copy_(&numbers_scaled(parameter.shape(), 0.5, 0.1 * f64::from(number)))?;
            number += 1;
        }
        Ok(())
    })?;
    let state = module.state_dict();
    let recorded = record["state"].as_object().expect("names and shapes");
    let names: Vec<&String> = state.keys().collect();
    let mut wanted: Vec<&String> = recorded.keys().collect();
    wanted.sort();
    assert_eq!(names, wanted, "{name}");
    for (entry, tensor) in &state {
        assert_eq!(Json::from(tensor.shape().to_vec()), recorded[entry], "{name}: {entry}");
    }
    let input = if input.dtype().is_float() { leaf(input)? } else { input.clone() };
    let results = call(&mut module, &input)?;
    let recorded = record["result"].as_array().expect("results");
    assert_eq!(results.len(), recorded.len(), "{name}");
    for (result, recorded) in results.iter().zip(recorded) {
        close(&format!("{name}: result"), result, recorded);
    }
    let weighted = results.iter().map(|result| torch::sum(&(result * &y(result.shape(), 0.7)).ok()?, ()));
    let losses = weighted.collect::<Result<Vec<_>>>()?;
    let loss = losses.into_iter().reduce(|a, b| (a + b).ok().expect("numbers")).expect("a result");
    if autograd::requires_grad(loss.ivy_array()) {
        autograd::backward(&[loss.into_ivy_array()], &[], autograd::Graph::Freed, None)?;
    }
    if !record["input"].is_null() {
        let gradient = autograd::grad_of(input.ivy_array()).expect("a gradient of the input");
        close(&format!("{name}: input"), &gradient.into(), &record["input"]);
    }
    let gradients = record["parameters"].as_array().expect("gradients");
    assert_eq!(gradients.len(), module.parameters().len(), "{name}");
    for ((entry, parameter), recorded) in module.named_parameters().into_iter().zip(gradients) {
        close(&format!("{name}: {entry}"), &parameter.grad().expect("a gradient"), recorded);
    }
    for (entry, recorded) in record["buffers"].as_object().expect("buffers") {
        close(&format!("{name}: {entry}"), &module.state_dict()[entry], recorded);
    }
    Ok(())
}

fn plain<M: Forward>(name: &str, module: Result<M>, input: &Tensor) -> Result<()> {
    check(name, module?, input, |module, x| Ok(vec![module.forward(x)?]))
}

#[test]
fn layers() -> Result<()> {
    plain("Linear", nn::Linear::new(3, 4, ()), &x(&[2, 3]))?;
    plain("Linear without bias", nn::Linear::new(3, 4, kw! { bias: false }), &x(&[5, 2, 3]))?;
    check("Bilinear", nn::Bilinear::new(2, 3, 4, ())?, &x(&[5, 2]), |m, a| {
        Ok(vec![m.forward(a, &x(&[5, 3]))?])
    })?;
    plain("Identity", Ok(nn::Identity), &x(&[2, 3]))?;
    let indices = torch::tensor([[0, 2], [4, 1]], ())?;
    plain("Embedding", nn::Embedding::new(5, 3, kw! { padding_idx: 2 }), &indices)?;
    plain("Flatten", nn::Flatten::new(()), &x(&[2, 3, 4]))?;
    plain("Unflatten", nn::Unflatten::new(1, (2, 3), ()), &x(&[4, 6]))?;
    plain("PixelShuffle", nn::PixelShuffle::new(2, ()), &x(&[1, 4, 2, 3]))?;
    let upsample = nn::Upsample::new(kw! { scale_factor: 2, mode: "bilinear", align_corners: true });
    plain("Upsample", upsample, &x(&[1, 1, 3, 2]))?;
    check("CosineSimilarity", nn::CosineSimilarity::new(kw! { dim: 1 })?, &x(&[3, 4]), |m, a| {
        Ok(vec![m.forward(a, &y(&[3, 4], 1.0))?])
    })?;
    plain("UpsamplingNearest2d", nn::UpsamplingNearest2d::new(kw! { scale_factor: 2 }), &x(&[1, 1, 3, 2]))?;
    plain("UpsamplingBilinear2d", nn::UpsamplingBilinear2d::new(kw! { size: (5, 3) }), &x(&[1, 1, 3, 2]))?;
    plain("PixelUnshuffle", nn::PixelUnshuffle::new(2, ()), &x(&[1, 2, 4, 6]))?;
    plain("ChannelShuffle", nn::ChannelShuffle::new(2, ()), &x(&[1, 4, 2, 3]))?;
    plain("Fold", nn::Fold::new((4, 5), 2, kw! { stride: 2, padding: 1 }), &x(&[2, 8, 9]))?;
    plain("Unfold", nn::Unfold::new((2, 3), kw! { padding: 1, stride: (1, 2) }), &x(&[2, 2, 4, 5]))?;
    plain("LocalResponseNorm", nn::LocalResponseNorm::new(3, kw! { alpha: 0.1 }), &x(&[2, 5, 3]))?;
    let mut rectifier = nn::RReLU::new(())?;
    rectifier.eval()?;
    plain("RReLU, used", Ok(rectifier), &numbers_scaled(&[3, 4], 3.0, 0.3))?;
    check(
        "PairwiseDistance",
        nn::PairwiseDistance::new(kw! { p: 3.0, keepdim: true })?,
        &x(&[3, 4]),
        |m, a| Ok(vec![m.forward(a, &y(&[3, 4], 1.0))?]),
    )?;
    let block = Sequential::new()
        .append(nn::Linear::new(3, 5, ())?)
        .append(nn::BatchNorm1d::new(5, ())?)
        .append(nn::ReLU::new(())?)
        .append(nn::Linear::new(5, 2, ())?);
    plain("Sequential", Ok(block), &x(&[4, 3]))?;
    let mut dropout = nn::Dropout::new(0.4, ())?;
    dropout.eval()?;
    plain("Dropout, used", Ok(dropout), &x(&[3, 4]))
}

macro_rules! over_axes {
    ($($n:literal $conv:ident $transposed:ident $batch:ident $instance:ident $max:ident $average:ident $to_average:ident $to_max:ident
        $constant:ident $zero:ident $reflection:ident $replication:ident $circular:ident $power:ident $unpool:ident;)*) => {
        #[test]
        fn layers_of_each_number_of_axes() -> Result<()> {
            $({
                let whole = &[6usize, 7, 5][..$n];
                let shape = |batch: usize, channels: usize| [&[batch, channels], whole].concat();
                let name = |of: &str| of.replace("Nd", concat!(stringify!($n), "d"));
                plain(&name("ConvNd"), nn::$conv::new(2, 4, 3, kw! { stride: 2, padding: 1 }), &x(&shape(2, 2)))?;
                let groups = kw! { dilation: 2, groups: 2, bias: false };
                plain(&name("ConvNd of groups"), nn::$conv::new(4, 4, 2, groups), &x(&shape(1, 4)))?;
                let transposed = nn::$transposed::new(2, 3, 3, kw! { stride: 2, output_padding: 1 });
                plain(&name("ConvTransposeNd"), transposed, &x(&shape(2, 2)))?;
                plain(&name("BatchNormNd"), nn::$batch::new(3, ()), &x(&shape(4, 3)))?;
                let cumulative = nn::$batch::new(3, kw! { momentum: (), affine: false });
                plain(&name("BatchNormNd without momentum"), cumulative, &x(&shape(4, 3)))?;
                plain(&name("InstanceNormNd"), nn::$instance::new(3, kw! { affine: true }), &x(&shape(4, 3)))?;
                let tracks = nn::$instance::new(3, kw! { track_running_stats: true });
                plain(&name("InstanceNormNd that tracks"), tracks, &x(&shape(4, 3)))?;
                plain(&name("MaxPoolNd"), nn::$max::new(2, kw! { stride: 1, padding: 1 }), &x(&shape(2, 2)))?;
                plain(&name("AvgPoolNd"), nn::$average::new(2, kw! { ceil_mode: true }), &x(&shape(2, 2)))?;
                plain(&name("AdaptiveAvgPoolNd"), nn::$to_average::new(3, ()), &x(&shape(2, 2)))?;
                plain(&name("AdaptiveMaxPoolNd"), nn::$to_max::new(2, ()), &x(&shape(2, 2)))?;
                plain(&name("ConstantPadNd"), nn::$constant::new(2, 3.5), &x(&shape(2, 2)))?;
                let sides = || Value::Tuple((1..=2 * $n).map(|side: i128| Value::Int(side.min(3))).collect());
                plain(&name("ZeroPadNd"), nn::$zero::new(sides()), &x(&shape(2, 2)))?;
                plain(&name("ReflectionPadNd"), nn::$reflection::new(sides()), &x(&shape(2, 2)))?;
                plain(&name("ReplicationPadNd"), nn::$replication::new(sides()), &x(&shape(2, 2)))?;
                plain(&name("CircularPadNd"), nn::$circular::new(sides()), &x(&shape(2, 2)))?;
                let positive = torch::abs(&y(&shape(2, 2), 0.5), ())?;
                plain(&name("LPPoolNd"), nn::$power::new(2, 2, kw! { stride: 1 }), &positive)?;
                let count: usize = whole.iter().product();
                let places = (0..2 * count).map(|n| (n % count * 2) as i64).collect();
                let places = Tensor::from(Array::from_vec(places, shape(1, 2))?);
                check(&name("MaxUnpoolNd"), nn::$unpool::new(2, ())?, &x(&shape(1, 2)), |m, a| {
                    Ok(vec![m.forward(a, &places)?])
                })?;
            })*
            let reflects = nn::Conv2d::new(1, 2, 3, kw! { padding: (1, 2), padding_mode: "reflect" });
            plain("Conv2d that reflects", reflects, &x(&[1, 1, 4, 5]))?;
            let same = nn::Conv2d::new(1, 2, (3, 2), kw! { padding: "same" });
            plain("Conv2d to the same size", same, &x(&[1, 1, 4, 5]))
        }
    };
}
over_axes! {
    1 Conv1d ConvTranspose1d BatchNorm1d InstanceNorm1d MaxPool1d AvgPool1d AdaptiveAvgPool1d AdaptiveMaxPool1d
        ConstantPad1d ZeroPad1d ReflectionPad1d ReplicationPad1d CircularPad1d LPPool1d MaxUnpool1d;
    2 Conv2d ConvTranspose2d BatchNorm2d InstanceNorm2d MaxPool2d AvgPool2d AdaptiveAvgPool2d AdaptiveMaxPool2d
        ConstantPad2d ZeroPad2d ReflectionPad2d ReplicationPad2d CircularPad2d LPPool2d MaxUnpool2d;
    3 Conv3d ConvTranspose3d BatchNorm3d InstanceNorm3d MaxPool3d AvgPool3d AdaptiveAvgPool3d AdaptiveMaxPool3d
        ConstantPad3d ZeroPad3d ReflectionPad3d ReplicationPad3d CircularPad3d LPPool3d MaxUnpool3d;
}

#[test]
fn normalizations() -> Result<()> {
    plain("BatchNorm1d of vectors", nn::BatchNorm1d::new(3, ()), &x(&[4, 3]))?;
    plain("LayerNorm", nn::LayerNorm::new([3, 4], ()), &x(&[2, 3, 4]))?;
    plain("LayerNorm without bias", nn::LayerNorm::new(4, kw! { bias: false }), &x(&[2, 4]))?;
    plain("RMSNorm", nn::RMSNorm::new(4, ()), &x(&[2, 4]))?;
    plain("GroupNorm", nn::GroupNorm::new(2, 4, ()), &x(&[2, 4, 3]))
}

macro_rules! activations {
    ($($name:ident)*) => {
        #[test]
        fn activations() -> Result<()> {
            let input = numbers_scaled(&[3, 4], 3.0, 0.3);
            $(plain(stringify!($name), nn::$name::new(()), &input)?;)*
            plain("Softmax", nn::Softmax::new(1, ()), &input)?;
            plain("Softmin", nn::Softmin::new(1, ()), &input)?;
            plain("Softmax2d", nn::Softmax2d::new(()), &x(&[2, 3, 2, 2]))?;
            plain("LogSoftmax", nn::LogSoftmax::new(1, ()), &input)?;
            plain("Threshold", nn::Threshold::new(0.1, 20.0, ()), &x(&[3, 4]))
        }
    };
}
activations! {
    ReLU ReLU6 ELU SELU CELU LeakyReLU Hardtanh Hardswish Hardsigmoid Hardshrink Softshrink Tanhshrink GELU SiLU Mish Softplus
    Softsign Sigmoid Tanh LogSigmoid GLU PReLU
}

macro_rules! losses {
    ($($name:ident)*) => {
        #[test]
        fn losses() -> Result<()> {
            let signs = torch::sign(&y(&[4, 3], 2.0), ())?;
            let chances = torch::sigmoid(&y(&[4, 3], 2.0), ())?;
            for reduction in ["mean", "sum", "none"] {
                $(
                    let loss = nn::$name::new(kw! { reduction: reduction })?;
                    check(&format!("{} {reduction}", stringify!($name)), loss, &x(&[4, 3]), |m, a| {
                        Ok(vec![m.forward(a, &signs)?])
                    })?;
                )*
            }
            let labels = torch::tensor([1, 0, 2, 1], ())?;
            let weight = torch::tensor([1.0, 2.0, 0.5], ())?;
            let loss = nn::CrossEntropyLoss::new(kw! { weight: &weight, label_smoothing: 0.1 })?;
            check("CrossEntropyLoss", loss, &x(&[4, 3]), |m, a| Ok(vec![m.forward(a, &labels)?]))?;
            let loss = nn::NLLLoss::new(kw! { ignore_index: 2 })?;
            check("NLLLoss", loss, &x(&[4, 3]), |m, a| Ok(vec![m.forward(a, &labels)?]))?;
            let input = torch::sigmoid(&x(&[4, 3]), ())?;
            check("BCELoss", nn::BCELoss::new(())?, &input, |m, a| Ok(vec![m.forward(a, &chances)?]))?;
            let weight = torch::tensor([1.0, 2.0, 3.0], ())?;
            let loss = nn::BCEWithLogitsLoss::new(kw! { pos_weight: &weight })?;
            check("BCEWithLogitsLoss", loss, &x(&[4, 3]), |m, a| Ok(vec![m.forward(a, &chances)?]))?;
            let loss = nn::KLDivLoss::new(kw! { reduction: "batchmean" })?;
            check("KLDivLoss", loss, &x(&[4, 3]), |m, a| Ok(vec![m.forward(a, &chances)?]))?;
            let counts = torch::abs(&y(&[4, 3], 2.0), ())?;
            let others = torch::abs(&y(&[4, 3], 1.0), ())?;
            check("GaussianNLLLoss", nn::GaussianNLLLoss::new(())?, &x(&[4, 3]), |m, a| {
                Ok(vec![m.forward(a, &y(&[4, 3], 2.0), &others)?])
            })?;
            let signs = torch::sign(&y(&[4], 2.0), ())?;
            check("MarginRankingLoss", nn::MarginRankingLoss::new(kw! { margin: 0.5 })?, &x(&[4]), |m, a| {
                Ok(vec![m.forward(a, &y(&[4], 1.0), &signs)?])
            })?;
            check("TripletMarginLoss", nn::TripletMarginLoss::new(())?, &x(&[4, 3]), |m, a| {
                Ok(vec![m.forward(a, &y(&[4, 3], 1.0), &y(&[4, 3], 2.0))?])
            })?;
            check("PoissonNLLLoss", nn::PoissonNLLLoss::new(())?, &x(&[4, 3]), |m, a| Ok(vec![m.forward(a, &counts)?]))
        }
    };
}
losses! { L1Loss MSELoss HuberLoss SmoothL1Loss SoftMarginLoss MultiLabelSoftMarginLoss }

fn recurrent<C: nn::Cell>(
    name: &str,
    layers: Result<nn::Recurrent<C>>,
    input: &Tensor,
    states: Option<nn::States>,
) -> Result<()> {
    check(name, layers?, input, |m, x| {
        let (output, states) = m.forward(x, states.as_ref())?;
        Ok([output, states.hidden].into_iter().chain(states.cell).collect())
    })
}

#[test]
fn recurrent_layers() -> Result<()> {
    fn each<C: nn::Cell>(name: &str) -> Result<()> {
        recurrent(name, nn::Recurrent::<C>::new(3, 4, ()), &x(&[5, 2, 3]), None)?;
        let both =
            nn::Recurrent::<C>::new(3, 2, kw! { num_layers: 2, bidirectional: true, batch_first: true });
        recurrent(&format!("{name} of two layers, both ways"), both, &x(&[2, 4, 3]), None)?;
        let bare = nn::Recurrent::<C>::new(3, 4, kw! { bias: false });
        recurrent(&format!("{name} without bias, of one sequence"), bare, &x(&[5, 3]), None)?;
        check(&format!("{name}Cell"), nn::RecurrentCell::<C>::new(3, 4, ())?, &x(&[2, 3]), |m, x| {
            let states = m.forward(x, None)?;
            Ok(std::iter::once(states.hidden).chain(states.cell).collect())
        })
    }
    each::<nn::Elman>("RNN")?;
    each::<nn::LongShortTermMemory>("LSTM")?;
    each::<nn::GatedUnit>("GRU")?;
    let states = |cell: bool| nn::States { hidden: x(&[1, 2, 4]), cell: cell.then(|| y(&[1, 2, 4], 1.0)) };
    recurrent("LSTM from a state", nn::LSTM::new(3, 4, ()), &x(&[5, 2, 3]), Some(states(true)))?;
    recurrent("GRU from a state", nn::GRU::new(3, 4, ()), &x(&[5, 2, 3]), Some(states(false)))?;
    let rectified = nn::RNN::new(3, 4, kw! { nonlinearity: "relu" });
    recurrent("RNN of rectifiers", rectified, &x(&[5, 2, 3]), Some(states(false)))
}

#[test]
fn attention() -> Result<()> {
    let attend =
        |name: &str, module: Result<nn::MultiheadAttention>, q: &[usize], k: &[usize], v: &[usize]| {
            check(name, module?, &x(q), |m, query| {
                let (output, weights) = m.forward(query, &y(k, 1.0), &y(v, 2.0), nn::Mask::default())?;
                Ok(vec![output, weights])
            })
        };
    attend("MultiheadAttention", nn::MultiheadAttention::new(6, 2, ()), &[4, 2, 6], &[5, 2, 6], &[5, 2, 6])?;
    let other = nn::MultiheadAttention::new(6, 3, kw! { kdim: 4, vdim: 5, batch_first: true, bias: false });
    attend("MultiheadAttention of other widths", other, &[2, 4, 6], &[2, 5, 4], &[2, 5, 5])?;
    for (first, name) in [(false, ""), (true, ", normalised first")] {
        let settings = kw! { dim_feedforward: 8, dropout: 0.0, activation: "gelu", norm_first: first };
        let layer = nn::TransformerEncoderLayer::new(6, 2, settings);
        plain(&format!("TransformerEncoderLayer{name}"), layer, &x(&[4, 2, 6]))?;
    }
    Ok(())
}

#[test]
fn states_are_saved_and_loaded() -> Result<()> {
    let network = || {
        Ok::<_, ivy_core::Error>(
            Sequential::new().append(nn::Linear::new(3, 4, ())?).append(nn::BatchNorm1d::new(4, ())?),
        )
    };
    let (mut one, mut other) = (network()?, network()?);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("network.safetensors");
    one.forward(&x(&[5, 3]))?;
    one.save(&path)?;
    other.load(&path)?;
    let bits = |of: &Sequential| -> Vec<(String, String)> {
        of.state_dict().into_iter().map(|(name, tensor)| (name, format!("{tensor:?}"))).collect()
    };
    assert_eq!(bits(&one), bits(&other));
    let mut state = one.state_dict();
    state.insert("2.weight".into(), x(&[1]));
    let before = bits(&other);
    let said = other.load_state_dict(&state).unwrap_err().to_string();
    assert!(said.contains("`2.weight`") && said.contains("no such tensors"), "{said}");
    state.remove("2.weight");
    state.insert("0.weight".into(), x(&[4, 2]));
    let said = other.load_state_dict(&state).unwrap_err().to_string();
    assert!(said.contains("`0.weight` of shape (4, 2)") && said.contains("(4, 3)"), "{said}");
    state.remove("0.weight");
    let said = other.load_state_dict(&state).unwrap_err().to_string();
    assert!(said.contains("`0.weight`") && said.contains("missing"), "{said}");
    assert_eq!(bits(&other), before);
    Ok(())
}

#[test]
fn modules_change_their_mode_dtype_and_gradients() -> Result<()> {
    let mut network = Sequential::new().append(nn::Linear::new(3, 4, ())?).append(nn::Dropout::new(1.0, ())?);
    let input = x(&[2, 3]);
    assert_eq!(network.forward(&input)?.to_vec::<f32>()?, [0.0; 8]);
    network.eval()?;
    assert!(network.forward(&input)?.to_vec::<f32>()?.iter().any(|&x| x != 0.0));
    network.train(true)?;
    assert_eq!(network.forward(&input)?.to_vec::<f32>()?, [0.0; 8]);
    network.to(ivy_core::Dtype::FLOAT64)?;
    assert!(network.parameters().iter().all(|p| p.dtype() == ivy_core::Dtype::FLOAT64));
    assert!(network.to(ivy_core::Dtype::INT32).is_err());
    network.requires_grad_(false)?;
    assert!(network.parameters().iter().all(|p| !autograd::requires_grad(p.ivy_array())));
    network.zero_grad()
}

/// What is wrong with the arguments of a module is said by class, argument and rule.
#[test]
fn bad_arguments_are_refused() -> Result<()> {
    let said = |result: Result<()>| result.unwrap_err().to_string();
    let unit = |result: Result<nn::Conv2d>| result.map(drop);
    for (found, parts) in [
        (said(unit(nn::Conv2d::new(1, 2, 3, kw! { strid: 2 }))), ["nn.Conv2d", "strid"]),
        (said(unit(nn::Conv2d::new(1, 2, (3, 3, 3), ()))), ["kernel_size", "2 of them"]),
        (said(unit(nn::Conv2d::new(3, 2, 3, kw! { groups: 2 }))), ["groups", "in_channels (3)"]),
        (said(unit(nn::Conv2d::new(3, 2, 3, kw! { padding_mode: "wrap" }))), ["padding_mode", "circular"]),
        (said(nn::Linear::new(1, 1, kw! { bias: 2 }).map(drop)), ["bias", "truth value"]),
        (said(nn::Dropout::new(1.5, ()).map(drop)), ["nn.Dropout", "between 0 and 1"]),
        (said(nn::ReLU::new(kw! { slope: 1 }).map(drop)), ["nn.ReLU", "slope"]),
        (said(nn::GroupNorm::new(2, 3, ()).map(drop)), ["num_groups", "num_channels (3)"]),
        (said(nn::MultiheadAttention::new(5, 2, ()).map(drop)), ["num_heads", "embed_dim (5)"]),
        (said(nn::LSTM::new(3, 0, ()).map(drop)), ["hidden_size", "greater than zero"]),
        (said(nn::LSTM::new(3, 2, ())?.forward(&x(&[4, 2]), None).map(drop)), ["input_size (3)", "(4, 2)"]),
        (said(nn::BatchNorm2d::new(3, ())?.forward(&x(&[4, 3])).map(drop)), ["2D", "4D"]),
        (said(nn::Embedding::new(3, 2, kw! { padding_idx: 3 }).map(drop)), ["padding_idx", "num_embeddings"]),
        (said(nn::LayerNorm::new(Value::from("3"), ()).map(drop)), ["normalized_shape", "'3'"]),
        (said(nn::Parameter::new(torch::tensor([1, 2], ())?).map(drop)), ["int64", "float"]),
    ] {
        assert!(parts.iter().all(|part| found.contains(part)), "{found}");
    }
    Ok(())
}
