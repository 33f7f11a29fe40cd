//! Names of types: `drjit.llvm.ad.Array3f`.

use super::{ArrayType, Kind, Package, Size, VarType};
use crate::Error;
use std::{fmt, str::FromStr};

impl ArrayType {
    /// The name without the package, such as `Matrix3f64`.
    ///
    /// A matrix is named by one of its two equal sizes, and by the size of the vectors that it is made of, if any.
    pub fn short_name(&self) -> String {
        let word = match self.kind() {
            Kind::Flat => return self.dtype().flat_name().to_owned(),
            Kind::Tensor => return format!("TensorX{}", self.dtype().suffix()),
            Kind::Array => "Array",
            Kind::Matrix => "Matrix",
            Kind::Complex => "Complex",
            Kind::Quaternion => "Quaternion",
        };
        let skipped = usize::from(self.kind() == Kind::Matrix);
        let sizes: String = self.sizes()[skipped..].iter().map(Size::to_string).collect();
        format!("{word}{sizes}{}", self.dtype().suffix())
    }

    /// The type of a short name in a package; `None` for a name that no type has.
    pub fn of_short_name(package: Package, name: &str) -> Option<ArrayType> {
        if let Some(dtype) = VarType::of_flat_name(name) {
            return Some(ArrayType::flat(package, dtype));
        }
        let words = [
            ("Array", Kind::Array),
            ("Matrix", Kind::Matrix),
            ("Complex", Kind::Complex),
            ("Quaternion", Kind::Quaternion),
            ("Tensor", Kind::Tensor),
        ];
        let (rest, kind) =
            words.into_iter().find_map(|(word, kind)| Some((name.strip_prefix(word)?, kind)))?;
        let end = rest.find(|c: char| c.is_ascii_lowercase())?;
        let dtype = VarType::of_suffix(&rest[end..])?;
        let one = |c: char| match c {
            'X' => Some(Size::Dynamic),
            '0'..='4' => Some(Size::Fixed(c as u8 - b'0')),
            _ => None,
        };
        let mut sizes = rest[..end].chars().map(one).collect::<Option<Vec<_>>>()?;
        match kind {
            Kind::Tensor if sizes == [Size::Dynamic] => return Some(ArrayType::tensor(package, dtype)),
            Kind::Matrix => sizes.insert(0, *sizes.first()?),
            _ => (),
        }
        ArrayType::nested(package, kind, &sizes, dtype)
    }
}

/// The full name.
impl fmt::Display for ArrayType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "drjit.{}.{}", self.package().name(), self.short_name())
    }
}

/// From a name with or without `drjit.` in front.
impl FromStr for ArrayType {
    type Err = Error;

    fn from_str(text: &str) -> Result<ArrayType, Error> {
        let unknown = || Error::UnknownType { name: text.to_owned() };
        let (package, name) =
            text.strip_prefix("drjit.").unwrap_or(text).rsplit_once('.').ok_or_else(unknown)?;
        let package = Package::of_name(package).ok_or_else(unknown)?;
        ArrayType::of_short_name(package, name).ok_or_else(unknown)
    }
}
