//! Generators of random numbers: values that split.

use crate::function::{ParamField, ParamValue};
use crate::{context, philox};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{SystemTime, UNIX_EPOCH};

/// A source of random numbers, as a value: a key and the number of the next draw.
///
/// A draw is what one call of a function takes. All draws of a key are of different blocks of Philox4x32-10, and so
/// are the draws of different keys: nothing that was drawn is ever drawn again. A generator is no `Copy` type, since
/// a copy draws the same numbers again; `clone` is for who wants that.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::{Generator, RandomUniform};
/// let mut generator = Generator::new(7);
/// let mut again = generator.clone();
/// let draw = |generator: &mut Generator| {
///     ivy::random_uniform(0.0, 1.0, RandomUniform::new().shape([3]).seed(generator))?.to_vec::<f32>()
/// };
/// let (first, second) = (draw(&mut generator)?, draw(&mut generator)?);
/// assert_ne!(first, second);
/// assert_eq!([draw(&mut again)?, draw(&mut again)?], [first, second]);
/// let [mut left, mut right] = generator.split2();
/// assert_ne!(draw(&mut left)?, draw(&mut right)?);
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Generator {
    /// The key of all its draws.
    pub key: u64,
    /// The number of the next one; numbers count modulo 2^56.
    pub counter: u64,
}

/// Words that are put over a key to make other keys of it: what becomes of generators does not meet what they draw.
const SPLITS: u64 = 0x5350_4C49_545F_4B45;
const FOLDS: u64 = 0x464F_4C44_5F49_4E5F;

impl Generator {
    /// The generator of a seed, which is its key; its first draw is that of the keyword argument `seed`.
    pub const fn new(seed: u64) -> Generator {
        Generator { key: seed, counter: 0 }
    }

    /// A generator of a key that is another one each time: of the random state that the standard library has of the
    /// system for its hash maps, and of the time.
    pub fn from_entropy() -> Generator {
        let mut hasher = RandomState::new().build_hasher();
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        hasher.write_u128(time.as_nanos());
        Generator::new(hasher.finish())
    }

    /// The next draw, for the keyword argument `seed`, which takes `&mut generator` as well.
    pub fn draw(&mut self) -> Seed {
        let seed = Seed { key: self.key, counter: self.counter };
        self.counter = self.counter.wrapping_add(1);
        seed
    }

    /// `n` generators of keys of their own; takes one draw.
    #[must_use]
    pub fn split(&mut self, n: usize) -> Vec<Generator> {
        let Seed { key, counter } = self.draw();
        (0..n as u64).map(|i| derived(key ^ SPLITS, counter, i)).collect()
    }

    /// Two generators of keys of their own, which [`Generator::split`] gives as well; takes one draw.
    #[must_use]
    pub fn split2(&mut self) -> [Generator; 2] {
        let Seed { key, counter } = self.draw();
        [0, 1].map(|i| derived(key ^ SPLITS, counter, i))
    }

    /// The generator of a key that is made of this one as it is now and of a number, such as that of a step or a layer.
    #[must_use]
    pub fn fold_in(&self, data: u64) -> Generator {
        derived(self.key ^ FOLDS, self.counter, data)
    }
}

const fn halves(x: u64) -> [u32; 2] {
    [x as u32, (x >> 32) as u32]
}

fn derived(key: u64, counter: u64, number: u64) -> Generator {
    let ([a, b], [c, d]) = (halves(number), halves(counter));
    let block = philox([a, b, c, d], halves(key));
    Generator::new(u64::from(block[0]) | u64::from(block[1]) << 32)
}

/// What makes a call reproducible: a key and the number of a draw, of a number (the key, with draw 0) or of a
/// generator's next draw.
///
/// A call takes its bits in parts, at most 256 of them. Part `p` of draw `c` has the blocks of the counters
/// `(i, 256 c + p)`, both of 64 bits: [`Seed::state`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seed {
    /// The key.
    pub key: u64,
    /// The number of the draw.
    pub counter: u64,
}

impl Seed {
    /// The state of a part of the draw, as [`random_bits`](super::random_bits) takes it.
    pub const fn state(self, part: u8) -> [u32; 4] {
        let ([k, l], [c, d]) = (halves(self.key), halves(self.counter << 8 | part as u64));
        [k, l, c, d]
    }
}

macro_rules! seeds {
    ($($t:ty),*) => {
        $(impl From<$t> for Seed {
            /// Draw 0 of a key; of a negative number, that of its bits.
            fn from(key: $t) -> Seed {
                Seed { key: key as u64, counter: 0 }
            }
        })*
    };
}
seeds!(i32, i64, u32, u64, usize);

impl From<&mut Generator> for Seed {
    fn from(generator: &mut Generator) -> Seed {
        generator.draw()
    }
}

impl ParamField for Seed {
    const TYPE: &'static str = "int | Generator";
    const RULE: &'static str = "a whole number is needed, or a key and the number of a draw";

    fn from_value(value: ParamValue) -> Option<Seed> {
        match value {
            ParamValue::Int(key) => Some(key.into()),
            // Words as their bits, which bindings have of a generator.
            ParamValue::Ints(words) => match words[..] {
                [key, counter] => Some(Seed { key: key as u64, counter: counter as u64 }),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Global seed: the random numbers of calls without `seed=` follow from the number from here on.
///
/// It acts on the current frame of the context, as setters do: inside of a scope until its end, and outside of any
/// for this thread. A context that is carried to another thread ([`context::current`]) takes its
/// generator with it: both draw from the one, no numbers twice, and which of them has which is left to chance. Where
/// nothing was generator_state, all threads draw from one generator of the process, which begins with [`Generator::from_entropy`].
///
/// A call draws when it is made. What is compiled ([`compile`](crate::functional::compile)) has the numbers of its
/// recording as constants: hand a state over ([`random_bits`](super::random_bits)) where each call should have others.
///
/// ```
/// use ivy::prelude::*;
/// let draw = || ivy::random_normal(0.0, 1.0, ivy::RandomNormal::new().shape([2]))?.to_vec::<f32>();
/// ivy::seed(3);
/// let (first, second) = (draw()?, draw()?);
/// ivy::seed(3);
/// assert_eq!((draw()?, draw()?), (first, second));
/// # Ok::<(), ivy::Error>(())
/// ```
pub fn seed(seed_value: impl Into<Seed>) {
    let Seed { key, counter } = seed_value.into();
    context::set_generator(Generator { key, counter });
}

/// The generator that calls without `seed=` draw from, as a value: its draws are those that come next. [`seed`] takes it,
/// by `generator.draw()`, to begin again from there.
///
/// ```
/// use ivy::prelude::*;
/// let draw = || ivy::random_normal(0.0, 1.0, ivy::RandomNormal::new().shape([2]))?.to_vec::<f32>();
/// let mut state = ivy::generator_state();
/// let first = draw()?;
/// ivy::seed(state.draw());
/// assert_eq!(draw()?, first);
/// # Ok::<(), ivy::Error>(())
/// ```
pub fn generator_state() -> Generator {
    context::generator().state()
}
