//! The nearest elements, and those between which a place is.

use super::{AnyTexture, FilterMode, WrapMode};
use crate::Result;
use crate::array::{AnyArray, IntoArg};
use crate::ops::array;
use crate::types::{ArrayType, VarType};

/// Where a place is along an axis: the element before it, and how far it is on the way to the next one.
pub(super) struct Along {
    pub(super) first: AnyArray,
    pub(super) way: AnyArray,
}

impl Along {
    /// Of a component in a axis of so many elements, which stand in the middle of their parts.
    pub(super) fn new(component: &AnyArray, len: usize) -> Result<Along> {
        let scaled = (component * len as f64 - 0.5).ok()?;
        let first = crate::floor(&scaled)?;
        let way = (&scaled - &first).ok()?;
        Ok(Along { first: first.cast_to(scaled.ty().with_dtype(VarType::Int32))?, way })
    }
}

impl WrapMode {
    /// The number of an element of an axis for that of a place which may be beyond its ends.
    pub(super) fn wrapped(self, number: AnyArray, len: usize) -> Result<AnyArray> {
        // A texture has no axis of which twice the length is none.
        let len = len as i32;
        let inside = match self {
            WrapMode::Clamp => crate::clip(number, 0, len - 1)?,
            WrapMode::Repeat => crate::remainder(number, len)?,
            WrapMode::Mirror => {
                let turn = crate::remainder(number, 2 * len)?;
                crate::minimum(2 * len - 1 - &turn, &turn)?
            }
        };
        inside.cast_to(inside.ty().with_dtype(VarType::UInt32))
    }
}

impl AnyTexture {
    /// The length of the axis of a component: `x` goes along the last one.
    pub(super) fn len_of(&self, component: usize) -> usize {
        self.shape[self.axes() - 1 - component]
    }

    /// The elements of an index for each component, one array a channel.
    pub(super) fn texel(
        &self,
        ty: ArrayType,
        index: &[&AnyArray],
        active: &AnyArray,
    ) -> Result<Vec<AnyArray>> {
        let mut axes = (0..self.axes()).rev();
        let last = axes.next().unwrap_or(0);
        let start = index[last].clone();
        let flat = axes.try_fold(start, |flat, i| (flat * self.len_of(i) as u32 + index[i]).ok())?;
        let channels = self.channels() as u32;
        let first = if channels == 1 { flat } else { (flat * channels).ok()? };
        let one = |channel: u32| {
            let index = if channel == 0 { first.clone() } else { (&first + channel).ok()? };
            crate::gather(ty, &self.value, index, active)
        };
        (0..channels).map(one).collect()
    }

    /// For each component its way, and the two elements on either side.
    fn sides(&self, place: &[AnyArray]) -> Result<Vec<(AnyArray, [AnyArray; 2])>> {
        let one = |(i, component): (usize, &AnyArray)| {
            let len = self.len_of(i);
            let along = Along::new(component, len)?;
            let next = self.wrap.wrapped((&along.first + 1).ok()?, len)?;
            Ok((along.way, [self.wrap.wrapped(along.first, len)?, next]))
        };
        place.iter().enumerate().map(one).collect()
    }

    /// What stands at a place, by the texture's filter: an array for each channel; zero where `active` is false.
    ///
    /// # Errors
    /// [`Error::WrongType`](crate::Error::WrongType) for a place that is no array of as many floats as there are axes (of one, a flat array will do).
    pub fn eval(&self, place: impl IntoArg, active: impl IntoArg) -> Result<Vec<AnyArray>> {
        const NAME: &str = "Texture.eval";
        let (place, ty) = self.place(NAME, place.into_arg())?;
        let active = array(NAME, active.into_arg())?;
        match self.filter {
            FilterMode::Nearest => {
                let one = |(i, component): (usize, &AnyArray)| {
                    let len = self.len_of(i);
                    let whole = crate::floor(component * len as f64)?;
                    self.wrap.wrapped(whole.cast_to(whole.ty().with_dtype(VarType::Int32))?, len)
                };
                let index = place.iter().enumerate().map(one).collect::<Result<Vec<_>>>()?;
                self.texel(ty, &index.iter().collect::<Vec<_>>(), &active)
            }
            FilterMode::Linear => self.linear(&place, ty, &active),
        }
    }

    fn linear(&self, place: &[AnyArray], ty: ArrayType, active: &AnyArray) -> Result<Vec<AnyArray>> {
        let sides = self.sides(place)?;
        let computed = place[0].ty();
        let corners = self.corners(&sides, computed, active)?;
        // From the last component to the first, two neighbours become one.
        let mixed = sides.iter().rev().try_fold(corners, |corners, (way, _)| {
            let (near, far) = corners.split_at(corners.len() / 2);
            let one = |(near, far): (&Vec<AnyArray>, &Vec<AnyArray>)| {
                let mix = |(a, b): (&AnyArray, &AnyArray)| ((b - a) * way + a).ok();
                near.iter().zip(far).map(mix).collect::<Result<Vec<_>>>()
            };
            near.iter().zip(far).map(one).collect::<Result<Vec<_>>>()
        })?;
        mixed.into_iter().flatten().map(|channel| channel.cast_to(ty)).collect()
    }

    /// The channels of the elements around a place: the first component runs fastest.
    fn corners(
        &self,
        sides: &[(AnyArray, [AnyArray; 2])],
        ty: ArrayType,
        active: &AnyArray,
    ) -> Result<Vec<Vec<AnyArray>>> {
        let one = |corner: usize| {
            let index: Vec<&AnyArray> =
                sides.iter().enumerate().map(|(i, (_, pair))| &pair[corner >> i & 1]).collect();
            self.texel(ty, &index, active)
        };
        (0..1 << self.axes()).map(one).collect()
    }

    /// The elements of which [`FilterMode::Linear`] makes what stands at a place, one array for each channel of each; the component `x`
    /// runs fastest.
    ///
    /// # Errors
    /// As [`eval`](Self::eval).
    pub fn eval_fetch(&self, place: impl IntoArg, active: impl IntoArg) -> Result<Vec<Vec<AnyArray>>> {
        const NAME: &str = "Texture.eval_fetch";
        let (place, ty) = self.place(NAME, place.into_arg())?;
        let active = array(NAME, active.into_arg())?;
        self.corners(&self.sides(&place)?, ty, &active)
    }
}
