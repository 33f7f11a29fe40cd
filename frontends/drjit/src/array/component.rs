//! Components by name: `x`, `y`, `z`, `w`, `real`, `imag`, and swizzles.

use super::AnyArray;
use crate::types::{ArrayType, Kind, Size};
use crate::{Error, Result};

const NAMES: [char; 4] = ['x', 'y', 'z', 'w'];

impl AnyArray {
    fn component(&self, name: &'static str) -> Result<AnyArray> {
        let missing = || Error::NoComponent { ty: self.ty(), name: name.into() };
        let named = matches!(self.ty().kind(), Kind::Array | Kind::Quaternion);
        let place = NAMES.iter().position(|n| name.starts_with(*n)).filter(|_| named).ok_or_else(missing)?;
        self.entries().get(place).cloned().ok_or_else(missing)
    }

    /// The first component.
    ///
    /// # Errors
    /// [`Error::NoComponent`].
    pub fn x(&self) -> Result<AnyArray> {
        self.component("x")
    }

    /// The second component.
    ///
    /// # Errors
    /// [`Error::NoComponent`].
    pub fn y(&self) -> Result<AnyArray> {
        self.component("y")
    }

    /// The third component.
    ///
    /// # Errors
    /// [`Error::NoComponent`].
    pub fn z(&self) -> Result<AnyArray> {
        self.component("z")
    }

    /// The fourth component; of a quaternion the real part.
    ///
    /// # Errors
    /// [`Error::NoComponent`].
    pub fn w(&self) -> Result<AnyArray> {
        self.component("w")
    }

    /// The real part of a complex number or a quaternion; other arrays are their own.
    ///
    /// # Errors
    /// None today.
    pub fn real(&self) -> Result<AnyArray> {
        Ok(match self.ty().kind() {
            Kind::Complex => self.entries()[0].clone(),
            Kind::Quaternion => self.entries()[3].clone(),
            _ => self.clone(),
        })
    }

    /// The imaginary part of a complex number, or the three of a quaternion; of other arrays zero.
    ///
    /// # Errors
    /// No memory.
    pub fn imag(&self) -> Result<AnyArray> {
        match self.ty().kind() {
            Kind::Complex => Ok(self.entries()[1].clone()),
            Kind::Quaternion => self.swizzle("xyz"),
            _ => crate::creation::zeros_like(self),
        }
    }

    /// Components in any order and number, such as `zyx` or `xx`: an array of so many.
    ///
    /// # Errors
    /// [`Error::NoComponent`].
    pub fn swizzle(&self, names: &str) -> Result<AnyArray> {
        let places = self.places(names)?;
        let entries: Vec<AnyArray> = places.iter().map(|&place| self.entries()[place].clone()).collect();
        let size = if entries.len() <= 4 { Size::Fixed(entries.len() as u8) } else { Size::Dynamic };
        let missing = || Error::NoComponent { ty: self.ty(), name: names.into() };
        let entry = self.ty().entry().ok_or_else(missing)?;
        let ty = array_of(entry, size).ok_or_else(missing)?;
        Ok(AnyArray::from_entries(ty, entries))
    }

    /// Replaces components, one for each name, by the entries of a value; a value that is no nested array goes to all of them.
    ///
    /// # Errors
    /// [`Error::NoComponent`]; [`Error::WrongSize`] for a value with another number of entries; those of the conversion.
    pub fn set_swizzle(&mut self, names: &str, value: impl super::IntoArg) -> Result<()> {
        let places = self.places(names)?;
        let missing = || Error::NoComponent { ty: self.ty(), name: names.into() };
        let entry = self.ty().entry().ok_or_else(missing)?;
        let size = u8::try_from(places.len()).map(Size::Fixed).unwrap_or(Size::Dynamic);
        let value = match places.len() {
            1 => vec![entry.make(value)?],
            _ => array_of(entry, size).ok_or_else(missing)?.make(value)?.entries().to_vec(),
        };
        let mut entries = self.entries().to_vec();
        places.into_iter().zip(value).for_each(|(place, value)| entries[place] = value);
        *self = AnyArray::from_entries(self.ty(), entries);
        Ok(())
    }

    fn places(&self, names: &str) -> Result<Vec<usize>> {
        let missing = || Error::NoComponent { ty: self.ty(), name: names.into() };
        let named = matches!(self.ty().kind(), Kind::Array | Kind::Quaternion) && !names.is_empty();
        let place =
            |name: char| NAMES.iter().position(|n| *n == name).filter(|&place| named && place < self.len());
        names.chars().map(place).collect::<Option<_>>().ok_or_else(missing)
    }
}

/// The array of so many entries of a type.
pub(super) fn array_of(entry: ArrayType, size: Size) -> Option<ArrayType> {
    let sizes: Vec<Size> = std::iter::once(size).chain(entry.sizes().iter().copied()).collect();
    ArrayType::nested(entry.package(), Kind::Array, &sizes, entry.dtype())
}

macro_rules! swizzles {
    ($($name:ident)*) => {
        impl AnyArray {
            $(
                #[doc = concat!("The components `", stringify!($name), "`.")]
                ///
                /// # Errors
                /// [`Error::NoComponent`].
                pub fn $name(&self) -> Result<AnyArray> {
                    self.swizzle(stringify!($name))
                }
            )*
        }
    };
}
swizzles! {
    xx xy xz xw yx yy yz yw zx zy zz zw wx wy wz ww
    xxx xxy xxz xyx xyy xyz xzx xzy xzz yxx yxy yxz yyx yyy yyz yzx yzy yzz zxx zxy zxz zyx zyy zyz zzx zzy zzz
    xyw xzw yzw wxy wxz wyz xyzw wzyx wxyz zyxw xxxx yyyy zzzz wwww
}
