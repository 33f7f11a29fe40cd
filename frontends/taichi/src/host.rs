//! Values on the host: numbers, vectors and matrices that fields hold and kernels take.

use ivy_taichi_types::{PrimitiveType, Type, TypeError};

/// A number that fields and arguments have on the host.
pub trait Number:
    ivy_core::host::Element + Copy + PartialEq + Send + Sync + std::fmt::Debug + 'static
{
    /// Its type.
    const TYPE: PrimitiveType;
    /// Its bits, as an unsigned number of its width.
    fn bits(self) -> u64;
    /// The number of these bits.
    fn of_bits(bits: u64) -> Self;
}

macro_rules! numbers {
    ($($t:ty, $ty:ident, $to:expr, $of:expr;)*) => {
        $(impl Number for $t {
            const TYPE: PrimitiveType = PrimitiveType::$ty;

            fn bits(self) -> u64 {
                let to: fn($t) -> u64 = $to;
                to(self)
            }

            fn of_bits(bits: u64) -> $t {
                let of: fn(u64) -> $t = $of;
                of(bits)
            }
        })*
    };
}

numbers! {
    bool, U1, u64::from, |bits| bits & 1 == 1;
    i8, I8, |x| u64::from(x as u8), |bits| bits as i8;
    i16, I16, |x| u64::from(x as u16), |bits| bits as i16;
    i32, I32, |x| u64::from(x as u32), |bits| bits as i32;
    i64, I64, |x| x as u64, |bits| bits as i64;
    u8, U8, u64::from, |bits| bits as u8;
    u16, U16, u64::from, |bits| bits as u16;
    u32, U32, u64::from, |bits| bits as u32;
    u64, U64, |x| x, |bits| bits;
    f32, F32, |x| u64::from(x.to_bits()), |bits| f32::from_bits(bits as u32);
    f64, F64, f64::to_bits, f64::from_bits;
}

/// A vector, as fields hold it and kernels take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Vector<T, const N: usize>(pub [T; N]);

/// A matrix of N rows and M columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Matrix<T, const N: usize, const M: usize>(pub [[T; M]; N]);

impl<T, const N: usize> From<[T; N]> for Vector<T, N> {
    fn from(entries: [T; N]) -> Vector<T, N> {
        Vector(entries)
    }
}

impl<T, const N: usize, const M: usize> From<[[T; M]; N]> for Matrix<T, N, M> {
    fn from(rows: [[T; M]; N]) -> Matrix<T, N, M> {
        Matrix(rows)
    }
}

/// What an element of a field is: a number, a vector or a matrix.
pub trait Element: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// Its numbers.
    type Number: Number;
    /// Rows and columns; a vector has one column, a number neither.
    const FORM: Option<(usize, Option<usize>)>;

    /// Its numbers, by rows.
    fn numbers(&self) -> Vec<Self::Number>;

    /// The element of so many numbers as [`numbers`](Element::numbers) gives; what is missing is zero.
    fn of_numbers(numbers: &[Self::Number]) -> Self;

    /// Its type.
    ///
    /// # Errors
    /// [`TypeError::EmptyTensor`] for no numbers.
    fn ty() -> Result<Type, TypeError> {
        match Self::FORM {
            None => Ok(Self::Number::TYPE.into()),
            Some((n, None)) => Type::vector(n, Self::Number::TYPE),
            Some((n, Some(m))) => Type::matrix(n, m, Self::Number::TYPE),
        }
    }
}

impl<T: Number> Element for T {
    type Number = T;
    const FORM: Option<(usize, Option<usize>)> = None;

    fn numbers(&self) -> Vec<T> {
        vec![*self]
    }

    fn of_numbers(numbers: &[T]) -> T {
        numbers.first().copied().unwrap_or_else(|| T::of_bits(0))
    }
}

impl<T: Number, const N: usize> Element for Vector<T, N> {
    type Number = T;
    const FORM: Option<(usize, Option<usize>)> = Some((N, None));

    fn numbers(&self) -> Vec<T> {
        self.0.to_vec()
    }

    fn of_numbers(numbers: &[T]) -> Vector<T, N> {
        Vector(std::array::from_fn(|n| numbers.get(n).copied().unwrap_or_else(|| T::of_bits(0))))
    }
}

impl<T: Number, const N: usize, const M: usize> Element for Matrix<T, N, M> {
    type Number = T;
    const FORM: Option<(usize, Option<usize>)> = Some((N, Some(M)));

    fn numbers(&self) -> Vec<T> {
        self.0.concat()
    }

    fn of_numbers(numbers: &[T]) -> Matrix<T, N, M> {
        let at = |n: usize| numbers.get(n).copied().unwrap_or_else(|| T::of_bits(0));
        Matrix(std::array::from_fn(|row| std::array::from_fn(|column| at(row * M + column))))
    }
}
