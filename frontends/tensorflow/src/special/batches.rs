//! Blocks of the spatial axes that become channels or entries of the batch, and back.

use ivy_core::{Array, Result};
use ivy_frontend::specials::{Out, lengths, ordered, pairs, wrong};
use ivy_frontend::{Call, compute};

/// A tensor of images with the channels last, the side of blocks, and whether the channels came first.
fn images(call: &Call<'_>) -> Result<(Array, i64, bool)> {
    let (x, block) = (call.array(0)?, call.int(1)?);
    let first = match call.text(2)? {
        "NHWC" => false,
        "NCHW" => true,
        _ => return Err(wrong(call, "data_format", "one of NHWC and NCHW")),
    };
    if x.ndim() != 4 || block < 1 {
        return Err(wrong(
            call,
            "input",
            "images of four axes and blocks of one element and more are needed",
        ));
    }
    let x = if first { ordered(call, &x, vec![0, 2, 3, 1])? } else { x };
    Ok((x, block, first))
}

fn back(call: &Call<'_>, x: Array, first: bool) -> Out {
    Ok(if first { ordered(call, &x, vec![0, 3, 1, 2])? } else { x }.into())
}

/// `space_to_depth(x, block_size, data_format)`
pub(crate) fn space_to_depth(call: &mut Call<'_>) -> Out {
    let (x, block, first) = images(call)?;
    let shape = lengths(&x);
    let (n, h, w, c) = (shape[0], shape[1] / block, shape[2] / block, shape[3]);
    let x = compute!(call, "reshape", [&x], shape = vec![n, h, block, w, block, c])?;
    let x = ordered(call, &x, vec![0, 1, 3, 2, 4, 5])?;
    back(call, compute!(call, "reshape", [&x], shape = vec![n, h, w, block * block * c])?, first)
}

/// `depth_to_space(x, block_size, data_format)`
pub(crate) fn depth_to_space(call: &mut Call<'_>) -> Out {
    let (x, block, first) = images(call)?;
    let shape = lengths(&x);
    let (n, h, w, c) = (shape[0], shape[1], shape[2], shape[3] / (block * block));
    let x = compute!(call, "reshape", [&x], shape = vec![n, h, w, block, block, c])?;
    let x = ordered(call, &x, vec![0, 1, 3, 2, 4, 5])?;
    back(call, compute!(call, "reshape", [&x], shape = vec![n, h * block, w * block, c])?, first)
}

/// The sides of blocks, and the pairs of what stands around them.
fn blocks(call: &Call<'_>, x: &Array) -> Result<(Vec<i64>, Vec<[i64; 2]>)> {
    let (sides, around) = (call.ints(1)?.unwrap_or_default(), pairs(call, 2)?);
    if sides.len() != around.len() || x.ndim() <= sides.len() || sides.iter().any(|&side| side < 1) {
        return Err(wrong(call, "block_shape", "a number and a pair for each of the axes behind the batch"));
    }
    Ok((sides, around))
}

/// `space_to_batch(x, block_shape, paddings)`
pub(crate) fn space_to_batch(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let (sides, around) = blocks(call, &x)?;
    let m = sides.len();
    let none = vec![0i64; 2];
    let widths: Vec<Vec<i64>> = std::iter::once(none.clone())
        .chain(around.iter().map(|pair| pair.to_vec()))
        .chain(std::iter::repeat_n(none, x.ndim() - 1 - m))
        .collect();
    let x = compute!(call, "constant_pad", [&x], pad_width = widths)?;
    let shape = lengths(&x);
    let mut split = vec![shape[0]];
    for (length, side) in shape[1..=m].iter().zip(&sides) {
        if length % side != 0 {
            return Err(wrong(
                call,
                "block_shape",
                format!("{side} does not divide a padded length of {length}"),
            ));
        }
        split.extend([length / side, *side]);
    }
    split.extend(&shape[1 + m..]);
    let x = compute!(call, "reshape", [&x], shape = split)?;
    let m = m as i64;
    let order = (0..m)
        .map(|k| 2 * k + 2)
        .chain([0])
        .chain((0..m).map(|k| 2 * k + 1))
        .chain(2 * m + 1..x.ndim() as i64);
    let x = ordered(call, &x, order.collect())?;
    let mut joined = vec![shape[0] * sides.iter().product::<i64>()];
    joined.extend(
        shape[1..].iter().zip(sides.iter().chain(std::iter::repeat(&1))).map(|(length, side)| length / side),
    );
    Ok(compute!(call, "reshape", [&x], shape = joined)?.into())
}

/// `batch_to_space(x, block_shape, crops)`
pub(crate) fn batch_to_space(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let (sides, around) = blocks(call, &x)?;
    let (m, shape) = (sides.len(), lengths(&x));
    let all = sides.iter().product::<i64>();
    if shape[0] % all != 0 {
        return Err(wrong(call, "block_shape", format!("{all} does not divide a batch of {}", shape[0])));
    }
    let mut split = sides.clone();
    split.push(shape[0] / all);
    split.extend(&shape[1..]);
    let x = compute!(call, "reshape", [&x], shape = split)?;
    let count = m as i64;
    let order = [count]
        .into_iter()
        .chain((0..count).flat_map(|k| [count + 1 + k, k]))
        .chain(2 * count + 1..x.ndim() as i64);
    let x = ordered(call, &x, order.collect())?;
    let mut joined = vec![shape[0] / all];
    joined.extend(
        shape[1..].iter().zip(sides.iter().chain(std::iter::repeat(&1))).map(|(length, side)| length * side),
    );
    let x = compute!(call, "reshape", [&x], shape = joined.clone())?;
    let mut key = vec![ivy_core::Index::Slice { start: None, stop: None, step: 1 }; 1];
    for (length, [before, behind]) in joined[1..=m].iter().zip(&around) {
        if *before < 0 || *behind < 0 || before + behind > *length {
            return Err(wrong(
                call,
                "crops",
                format!("{before} and {behind} are more than a length of {length}"),
            ));
        }
        key.push(ivy_core::Index::Slice { start: Some(*before), stop: Some(length - behind), step: 1 });
    }
    Ok(x.get(key)?.into())
}
