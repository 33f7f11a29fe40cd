//! Textures of row D-03: answers of Dr.Jit, gradients, errors.

use super::{assert_close, on_both, rows};
use ivy_drjit::llvm::{
    self, Array2f, Array2f16, Float, TensorXf, Texture1f, Texture2f, Texture2f16, Texture3f,
};
use ivy_drjit::{
    self as dr, AnyArray, Error, FilterMode, IntoArg, Mark, Texture, Traverse, WrapMode, enable_grad, grad,
};

const PLACES: [[f64; 12]; 3] = [
    [-1.3, -0.4, -0.05, 0.0, 0.1, 0.31, 0.5, 0.77, 0.999, 1.0, 1.2, 2.6],
    [0.2, 0.9, 1.4, -0.7, 0.55, 0.5, 0.01, 0.6, -0.1, 0.35, 0.8, 0.45],
    [0.6, -0.2, 0.3, 0.95, 0.5, 1.7, 0.15, 0.4, 0.05, 0.7, -1.1, 0.85],
];

/// The elements of which the answers were recorded.
fn elements(shape: &[usize]) -> dr::Result<AnyArray> {
    let count = shape.iter().product::<usize>();
    let values: Vec<f64> = (0..count).map(|i| (i * 7 % 11) as f64 * 0.5 - 1.0).collect();
    TensorXf::TYPE.make_tensor(values, shape)
}

fn place(axes: usize) -> dr::Result<AnyArray> {
    let arrays = PLACES[..axes].iter().map(|x| Float::new(x.to_vec())).collect::<dr::Result<Vec<_>>>()?;
    let ty: dr::ArrayType = format!("drjit.llvm.Array{axes}f").parse()?;
    ty.make(arrays)
}

/// What a texture gives for the name of a lookup: an array for each channel.
fn look_up<M: Mark, const D: usize>(
    texture: &Texture<M, D>,
    what: &str,
    place: &AnyArray,
) -> dr::Result<Vec<AnyArray>> {
    let mut words = what.split(' ');
    let name = words.next().unwrap_or_default();
    let numbers: Vec<i64> = words.map(|word| word.parse().unwrap()).collect();
    match name {
        "eval" => texture.eval(place, true),
        "fetch" => Ok(texture.eval_fetch(place, true)?.swap_remove(numbers[0] as usize)),
        "cubic" => texture.eval_cubic(place, true),
        "slope" => {
            let (_, slopes) = texture.eval_cubic_grad(place, true)?;
            slopes.iter().map(|slope| slope.get_at(&numbers)).collect()
        }
        "bend" => {
            let (_, _, bends) = texture.eval_cubic_hessian(place, true)?;
            bends.iter().map(|bend| bend.get_at(&numbers)).collect()
        }
        other => panic!("{other}"),
    }
}

fn check<M: Mark, const D: usize>(texture: Texture<M, D>) -> dr::Result<()> {
    let place = place(D)?;
    let mut last: Option<(String, Vec<AnyArray>)> = None;
    for row in rows(include_str!("../data/textures.tsv")) {
        let [axes, what, filter, wrap, channel, numbers] = row[..] else { panic!("{row:?}") };
        if axes.parse() != Ok(D) {
            continue;
        }
        let name = format!("{D} {what} {filter} {wrap}");
        if last.as_ref().is_none_or(|(own, _)| *own != name) {
            let texture = texture.clone().with_filter(filter_of(filter)).with_wrap(wrap_of(wrap));
            last = Some((name.clone(), look_up(&texture, what, &place)?));
        }
        let channels = &last.as_ref().unwrap().1;
        assert_close(
            &format!("{name} {channel}"),
            &channels[channel.parse::<usize>().unwrap()],
            numbers,
            2e-5,
        )?;
    }
    Ok(())
}

fn filter_of(name: &str) -> FilterMode {
    if name == "Nearest" { FilterMode::Nearest } else { FilterMode::Linear }
}

fn wrap_of(name: &str) -> WrapMode {
    [("Repeat", WrapMode::Repeat), ("Clamp", WrapMode::Clamp), ("Mirror", WrapMode::Mirror)]
        .into_iter()
        .find(|(own, _)| *own == name)
        .unwrap()
        .1
}

#[test]
fn d_03_textures_answer_as_drjit_does() {
    on_both(|| {
        check(Texture1f::from_tensor(&elements(&[4, 2])?)?)?;
        check(Texture2f::from_tensor(&elements(&[3, 4, 2])?)?)?;
        check(Texture3f::from_tensor(&elements(&[2, 3, 4, 1])?)?)
    });
}

/// The sum of two channels.
fn both(channels: &[AnyArray]) -> dr::Result<AnyArray> {
    (&channels[0] + &channels[1]).ok()
}

#[test]
fn d_03_gradients_of_textures_are_those_of_differences() {
    use llvm::ad::{Array2f64, TensorXf64, Texture2f64};
    type Lookup = fn(&Texture2f64, &AnyArray) -> dr::Result<AnyArray>;
    let lookups: [(&str, Lookup); 2] = [
        ("linear", |texture, place| both(&texture.eval(place, true)?)),
        ("cubic", |texture, place| both(&texture.eval_cubic(place, true)?)),
    ];
    on_both(|| {
        let values: Vec<f64> = (0..24).map(|i| f64::from(i * 7 % 11)).collect();
        let texture = Texture2f64::from_tensor(&TensorXf64::TYPE.make_tensor(values, &[3, 4, 2])?)?
            .with_wrap(WrapMode::Mirror);
        let place = Array2f64::new([[0.3, 0.9, 1.2], [0.45, -0.3, 0.7]])?;
        for (name, lookup) in lookups {
            let (x, own) = (enable_grad(&place)?, enable_grad(&texture)?);
            let total = dr::sum(lookup(&own, &x)?, ())?;
            dr::backward(&total)?;
            for axis in 0..2 {
                let moved = |by: f64| -> dr::Result<Vec<f64>> {
                    let mut place = place.any().clone();
                    place.set(axis, place.get(axis)? + by)?;
                    Ok(lookup(&texture, &place)?.to_scalars()?.iter().map(|x| x.to_f64()).collect())
                };
                let (high, low) = (moved(1e-6)?, moved(-1e-6)?);
                let slopes: Vec<String> =
                    high.iter().zip(low).map(|(high, low)| ((high - low) / 2e-6).to_string()).collect();
                assert_close(name, &grad(&x)?.get(axis)?, &slopes.join(" "), 1e-6)?;
            }
            // Weights of a place add up to 1, and there are three places and two channels.
            let weights = grad(&own)?;
            let sum = dr::sum(weights.value(), ())?.item(0)?.to_f64();
            assert!((sum - 6.0).abs() < 1e-9, "{name}: {sum}");
            let mut more = texture.clone();
            more.set_value((texture.value() + 1.0).ok()?)?;
            let grown = (dr::sum(lookup(&more, place.any())?, ())? - dr::detach(&total)?).ok()?;
            assert!((grown.item(0)?.to_f64() - 6.0).abs() < 1e-9, "{name}");
        }
        Ok(())
    });
}

#[test]
fn d_03_textures_in_loops_and_of_half_precision() {
    on_both(|| {
        let texture = Texture2f::from_tensor(&elements(&[3, 4, 2])?)?;
        let mut paths = Vec::new();
        texture.paths("texture", &mut paths);
        assert_eq!(paths, ["texture.value"]);
        assert_eq!(texture.tensor()?.to_string(), elements(&[3, 4, 2])?.to_string());
        // A walk to where the texture is above 2, in steps along x.
        let begin = (Array2f::new([[0.1, 0.4], [0.2, 0.8]])?.into_any(), Float::new([0, 0])?.into_any());
        let found: Vec<String> = [dr::Mode::Symbolic, dr::Mode::Evaluated]
            .into_iter()
            .map(|mode| {
                let (place, _) = dr::while_loop(
                    begin.clone(),
                    |(place, iterations)| {
                        let low = dr::lt(&texture.eval(place, true)?[0], 2)?;
                        dr::bitwise_and(low, dr::lt(iterations, 20)?)
                    },
                    |(place, iterations)| {
                        let place = Array2f::new((place.x()? + 0.125, place.y()?))?;
                        Ok((place.into_any(), (iterations + 1).ok()?))
                    },
                    mode,
                )?;
                Ok(place.to_string())
            })
            .collect::<dr::Result<_>>()?;
        assert_eq!(found[0], found[1]);
        let half = Texture2f16::from_tensor(&elements(&[3, 4, 2])?)?;
        let own = half.eval(&Array2f16::new([[0.5], [0.5]])?, true)?;
        assert_eq!(own[0].ty(), llvm::Float16::TYPE);
        let exact = texture.eval(&Array2f::new([[0.5], [0.5]])?, true)?;
        assert_eq!(own[0].to_string(), exact[0].to_string());
        // What is masked out is 0.
        let masked =
            texture.eval(&Array2f::new([[0.5, 0.5], [0.5, 0.5]])?, llvm::Bool::new([false, true])?)?;
        assert_eq!(masked[0].item(0)?.to_f64(), 0.0);
        assert_eq!(masked[0].item(1)?.to_f64(), exact[0].item(0)?.to_f64());
        Ok(())
    });
}

#[test]
fn d_03_errors_of_textures() {
    on_both(|| {
        assert!(matches!(Texture2f::new([0, 4], 1), Err(Error::InvalidArgument { argument: "shape", .. })));
        assert!(
            Texture3f::new([1 << 20, 1 << 20, 1 << 20], 1).is_err(),
            "more elements than there are numbers"
        );
        assert!(Texture2f::new([1 << 30, 1], 1).is_err());
        assert!(Texture2f::from_tensor(&elements(&[3, 4])?).is_err(), "an axis of channels is needed");
        let flat = Float::new([1, 2])?;
        assert!(matches!(Texture1f::from_tensor(&flat), Err(Error::WrongType { .. })));
        let mut texture = Texture2f::new([2, 2], 1)?;
        let place = |x: &dyn Fn() -> dr::Arg| texture.eval(x(), true).err();
        assert!(matches!(
            place(&|| flat.clone().into_arg()),
            Some(Error::WrongType { argument: "the place", .. })
        ));
        let whole = llvm::Array2i::new([1, 2])?;
        assert!(matches!(place(&|| whole.clone().into_arg()), Some(Error::WrongType { .. })));
        assert!(place(&|| [0.5, 0.5].into_arg()).is_none(), "a list is a place");
        assert!(matches!(texture.set_value(&flat), Err(Error::WrongEntries { expected: 4, got: 2, .. })));
        texture.set_tensor(&elements(&[1, 3, 2])?)?;
        assert_eq!(texture.shape(), [1, 3, 2]);
        let far = texture.eval(&Array2f::new([[f64::NAN, 1e30], [-1e30, f64::INFINITY]])?, true)?;
        assert_eq!(far.len(), 2, "places that are none are read somewhere within");
        far[0].to_scalars()?;
        Ok(())
    });
}
