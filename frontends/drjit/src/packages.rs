//! The packages: modules of type aliases over one wrapper.

/// The names of a package, and what they mark.
macro_rules! aliases {
    ($($name:ident = $mark:ty;)*) => {
        $(
            #[doc = concat!("Arrays of the type `", stringify!($name), "`.")]
            pub type $name = Typed<$mark>;
        )*

        /// The names of the package's array types.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

/// The names of a package's textures, the numbers of their elements' types and of their axes.
macro_rules! textures {
    ($($name:ident = $dtype:literal, $axes:literal;)*) => {
        $(
            #[doc = concat!("Textures of the type `", stringify!($name), "`.")]
            pub type $name = Texture<Flat<$dtype>, $axes>;
        )*
    };
}

macro_rules! package {
    ($(#[$doc:meta])* $module:ident $backend:literal $ad:literal { $($more:tt)* }) => {
        $(#[$doc])*
        pub mod $module {
            use crate::array::{ComplexOf, FlatOf, MatrixOf, NestedOf, NestedXOf, QuaternionOf, TensorOf, Typed};
            use crate::texture::Texture;

            type Flat<const T: u8> = FlatOf<$backend, $ad, T>;

            $($more)*

            textures! {
                Texture1f16 = 9, 1;
                Texture2f16 = 9, 2;
                Texture3f16 = 9, 3;
                Texture1f = 10, 1;
                Texture2f = 10, 2;
                Texture3f = 10, 3;
                Texture1f64 = 11, 1;
                Texture2f64 = 11, 2;
                Texture3f64 = 11, 3;
            }

            aliases! {
                Bool = Flat<0>;
                Int8 = Flat<1>;
                UInt8 = Flat<2>;
                Int = Flat<5>;
                Int32 = Flat<5>;
                UInt = Flat<6>;
                UInt32 = Flat<6>;
                Int64 = Flat<7>;
                UInt64 = Flat<8>;
                Float16 = Flat<9>;
                Float = Flat<10>;
                Float32 = Flat<10>;
                Float64 = Flat<11>;
                Array0b = NestedOf<Flat<0>, 0>;
                Array1b = NestedOf<Flat<0>, 1>;
                Array2b = NestedOf<Flat<0>, 2>;
                Array3b = NestedOf<Flat<0>, 3>;
                Array4b = NestedOf<Flat<0>, 4>;
                ArrayXb = NestedXOf<Flat<0>>;
                Array0i8 = NestedOf<Flat<1>, 0>;
                Array1i8 = NestedOf<Flat<1>, 1>;
                Array2i8 = NestedOf<Flat<1>, 2>;
                Array3i8 = NestedOf<Flat<1>, 3>;
                Array4i8 = NestedOf<Flat<1>, 4>;
                ArrayXi8 = NestedXOf<Flat<1>>;
                Array0u8 = NestedOf<Flat<2>, 0>;
                Array1u8 = NestedOf<Flat<2>, 1>;
                Array2u8 = NestedOf<Flat<2>, 2>;
                Array3u8 = NestedOf<Flat<2>, 3>;
                Array4u8 = NestedOf<Flat<2>, 4>;
                ArrayXu8 = NestedXOf<Flat<2>>;
                Array0i = NestedOf<Flat<5>, 0>;
                Array1i = NestedOf<Flat<5>, 1>;
                Array2i = NestedOf<Flat<5>, 2>;
                Array3i = NestedOf<Flat<5>, 3>;
                Array4i = NestedOf<Flat<5>, 4>;
                ArrayXi = NestedXOf<Flat<5>>;
                Array0u = NestedOf<Flat<6>, 0>;
                Array1u = NestedOf<Flat<6>, 1>;
                Array2u = NestedOf<Flat<6>, 2>;
                Array3u = NestedOf<Flat<6>, 3>;
                Array4u = NestedOf<Flat<6>, 4>;
                ArrayXu = NestedXOf<Flat<6>>;
                Array0i64 = NestedOf<Flat<7>, 0>;
                Array1i64 = NestedOf<Flat<7>, 1>;
                Array2i64 = NestedOf<Flat<7>, 2>;
                Array3i64 = NestedOf<Flat<7>, 3>;
                Array4i64 = NestedOf<Flat<7>, 4>;
                ArrayXi64 = NestedXOf<Flat<7>>;
                Array0u64 = NestedOf<Flat<8>, 0>;
                Array1u64 = NestedOf<Flat<8>, 1>;
                Array2u64 = NestedOf<Flat<8>, 2>;
                Array3u64 = NestedOf<Flat<8>, 3>;
                Array4u64 = NestedOf<Flat<8>, 4>;
                ArrayXu64 = NestedXOf<Flat<8>>;
                Array0f16 = NestedOf<Flat<9>, 0>;
                Array1f16 = NestedOf<Flat<9>, 1>;
                Array2f16 = NestedOf<Flat<9>, 2>;
                Array3f16 = NestedOf<Flat<9>, 3>;
                Array4f16 = NestedOf<Flat<9>, 4>;
                ArrayXf16 = NestedXOf<Flat<9>>;
                Array0f = NestedOf<Flat<10>, 0>;
                Array1f = NestedOf<Flat<10>, 1>;
                Array2f = NestedOf<Flat<10>, 2>;
                Array3f = NestedOf<Flat<10>, 3>;
                Array4f = NestedOf<Flat<10>, 4>;
                ArrayXf = NestedXOf<Flat<10>>;
                Array0f64 = NestedOf<Flat<11>, 0>;
                Array1f64 = NestedOf<Flat<11>, 1>;
                Array2f64 = NestedOf<Flat<11>, 2>;
                Array3f64 = NestedOf<Flat<11>, 3>;
                Array4f64 = NestedOf<Flat<11>, 4>;
                ArrayXf64 = NestedXOf<Flat<11>>;
                Array22b = NestedOf<NestedOf<Flat<0>, 2>, 2>;
                Array33b = NestedOf<NestedOf<Flat<0>, 3>, 3>;
                Array34b = NestedOf<NestedOf<Flat<0>, 4>, 3>;
                Array41b = NestedOf<NestedOf<Flat<0>, 1>, 4>;
                Array43b = NestedOf<NestedOf<Flat<0>, 3>, 4>;
                Array44b = NestedOf<NestedOf<Flat<0>, 4>, 4>;
                Array334b = NestedOf<NestedOf<NestedOf<Flat<0>, 4>, 3>, 3>;
                Array441b = NestedOf<NestedOf<NestedOf<Flat<0>, 1>, 4>, 4>;
                Array443b = NestedOf<NestedOf<NestedOf<Flat<0>, 3>, 4>, 4>;
                Array444b = NestedOf<NestedOf<NestedOf<Flat<0>, 4>, 4>, 4>;
                Array22f16 = NestedOf<NestedOf<Flat<9>, 2>, 2>;
                Array33f16 = NestedOf<NestedOf<Flat<9>, 3>, 3>;
                Array34f16 = NestedOf<NestedOf<Flat<9>, 4>, 3>;
                Array41f16 = NestedOf<NestedOf<Flat<9>, 1>, 4>;
                Array43f16 = NestedOf<NestedOf<Flat<9>, 3>, 4>;
                Array44f16 = NestedOf<NestedOf<Flat<9>, 4>, 4>;
                Array334f16 = NestedOf<NestedOf<NestedOf<Flat<9>, 4>, 3>, 3>;
                Array441f16 = NestedOf<NestedOf<NestedOf<Flat<9>, 1>, 4>, 4>;
                Array443f16 = NestedOf<NestedOf<NestedOf<Flat<9>, 3>, 4>, 4>;
                Array444f16 = NestedOf<NestedOf<NestedOf<Flat<9>, 4>, 4>, 4>;
                Array22f = NestedOf<NestedOf<Flat<10>, 2>, 2>;
                Array33f = NestedOf<NestedOf<Flat<10>, 3>, 3>;
                Array34f = NestedOf<NestedOf<Flat<10>, 4>, 3>;
                Array41f = NestedOf<NestedOf<Flat<10>, 1>, 4>;
                Array43f = NestedOf<NestedOf<Flat<10>, 3>, 4>;
                Array44f = NestedOf<NestedOf<Flat<10>, 4>, 4>;
                Array334f = NestedOf<NestedOf<NestedOf<Flat<10>, 4>, 3>, 3>;
                Array441f = NestedOf<NestedOf<NestedOf<Flat<10>, 1>, 4>, 4>;
                Array443f = NestedOf<NestedOf<NestedOf<Flat<10>, 3>, 4>, 4>;
                Array444f = NestedOf<NestedOf<NestedOf<Flat<10>, 4>, 4>, 4>;
                Array22f64 = NestedOf<NestedOf<Flat<11>, 2>, 2>;
                Array33f64 = NestedOf<NestedOf<Flat<11>, 3>, 3>;
                Array34f64 = NestedOf<NestedOf<Flat<11>, 4>, 3>;
                Array41f64 = NestedOf<NestedOf<Flat<11>, 1>, 4>;
                Array43f64 = NestedOf<NestedOf<Flat<11>, 3>, 4>;
                Array44f64 = NestedOf<NestedOf<Flat<11>, 4>, 4>;
                Array334f64 = NestedOf<NestedOf<NestedOf<Flat<11>, 4>, 3>, 3>;
                Array441f64 = NestedOf<NestedOf<NestedOf<Flat<11>, 1>, 4>, 4>;
                Array443f64 = NestedOf<NestedOf<NestedOf<Flat<11>, 3>, 4>, 4>;
                Array444f64 = NestedOf<NestedOf<NestedOf<Flat<11>, 4>, 4>, 4>;
                Matrix2f16 = MatrixOf<Flat<9>, 2>;
                Matrix3f16 = MatrixOf<Flat<9>, 3>;
                Matrix4f16 = MatrixOf<Flat<9>, 4>;
                Matrix34f16 = MatrixOf<NestedOf<Flat<9>, 4>, 3>;
                Matrix41f16 = MatrixOf<NestedOf<Flat<9>, 1>, 4>;
                Matrix43f16 = MatrixOf<NestedOf<Flat<9>, 3>, 4>;
                Matrix44f16 = MatrixOf<NestedOf<Flat<9>, 4>, 4>;
                Matrix2f = MatrixOf<Flat<10>, 2>;
                Matrix3f = MatrixOf<Flat<10>, 3>;
                Matrix4f = MatrixOf<Flat<10>, 4>;
                Matrix34f = MatrixOf<NestedOf<Flat<10>, 4>, 3>;
                Matrix41f = MatrixOf<NestedOf<Flat<10>, 1>, 4>;
                Matrix43f = MatrixOf<NestedOf<Flat<10>, 3>, 4>;
                Matrix44f = MatrixOf<NestedOf<Flat<10>, 4>, 4>;
                Matrix2f64 = MatrixOf<Flat<11>, 2>;
                Matrix3f64 = MatrixOf<Flat<11>, 3>;
                Matrix4f64 = MatrixOf<Flat<11>, 4>;
                Matrix34f64 = MatrixOf<NestedOf<Flat<11>, 4>, 3>;
                Matrix41f64 = MatrixOf<NestedOf<Flat<11>, 1>, 4>;
                Matrix43f64 = MatrixOf<NestedOf<Flat<11>, 3>, 4>;
                Matrix44f64 = MatrixOf<NestedOf<Flat<11>, 4>, 4>;
                Quaternion4f16 = QuaternionOf<Flat<9>>;
                Complex2f = ComplexOf<Flat<10>>;
                Quaternion4f = QuaternionOf<Flat<10>>;
                Complex2f64 = ComplexOf<Flat<11>>;
                Quaternion4f64 = QuaternionOf<Flat<11>>;
                TensorXb = TensorOf<Flat<0>>;
                TensorXi8 = TensorOf<Flat<1>>;
                TensorXu8 = TensorOf<Flat<2>>;
                TensorXi = TensorOf<Flat<5>>;
                TensorXu = TensorOf<Flat<6>>;
                TensorXi64 = TensorOf<Flat<7>>;
                TensorXu64 = TensorOf<Flat<8>>;
                TensorXf16 = TensorOf<Flat<9>>;
                TensorXf = TensorOf<Flat<10>>;
                TensorXf64 = TensorOf<Flat<11>>;
            }
        }
    };
}

package! {
    /// Single values, in the reference backend.
    scalar 0 false {
        /// A 16-bit integer.
        pub type Int16 = Typed<Flat<3>>;
        /// An unsigned 16-bit integer.
        pub type UInt16 = Typed<Flat<4>>;
    }
}
package! {
    /// Arrays on the processor.
    llvm 1 false {
        pub use super::llvm_ad as ad;
    }
}
package! {
    /// Differentiable arrays on the processor: [`llvm::ad`](crate::llvm::ad).
    llvm_ad 1 true {}
}
package! {
    /// Arrays on a GPU.
    cuda 2 false {
        pub use super::cuda_ad as ad;
    }
}
package! {
    /// Differentiable arrays on a GPU: [`cuda::ad`](crate::cuda::ad).
    cuda_ad 2 true {}
}

/// The processor's arrays: a type is chosen when the program is compiled. [`Package::auto`](crate::Package::auto) chooses when it
/// runs, for arrays of any type.
pub mod auto {
    pub use super::llvm::*;
}
