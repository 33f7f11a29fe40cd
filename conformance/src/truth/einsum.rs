//! Sums of products by their definition: over every value of every index.

use super::dd::Dd;
use super::num::{Num, wrap};
use super::value::Value;
use super::{Call, Tensor, Truth, indices, place};
use ivy_core::function::ParamValue;
use std::collections::BTreeMap;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    (call.function == "einsum").then(|| einsum(call)).flatten().map(|truth| vec![truth])
}

fn einsum(call: &Call<'_>) -> Option<Truth> {
    let text = match call.keyword("equation")? {
        ParamValue::Text(text) => text.replace(' ', ""),
        _ => return None,
    };
    let operands: Vec<Tensor> = (0..call.operands.len()).map(|i| call.operand(i)).collect::<Option<_>>()?;
    let (inputs, output) = match text.split_once("->") {
        Some((inputs, output)) => (inputs, Some(output)),
        None => (&text[..], None),
    };
    let inputs: Vec<&str> = inputs.split(',').collect();
    // What `...` stands for are digits, the last one for the last of those axes.
    let rest = |i: usize| operands[i].shape.len() - inputs[i].chars().filter(|c| *c != '.').count();
    let most = (0..inputs.len()).map(rest).max()?;
    let digits = |n: usize| -> String { (most - n..most).map(|k| (b'0' + k as u8) as char).collect() };
    let inputs: Vec<Vec<char>> =
        (0..inputs.len()).map(|i| inputs[i].replace("...", &digits(rest(i))).chars().collect()).collect();
    let output: Vec<char> = match output {
        Some(output) => output.replace("...", &digits(most)).chars().collect(),
        None => {
            let mut times: BTreeMap<char, usize> = BTreeMap::new();
            inputs.iter().flatten().for_each(|c| *times.entry(*c).or_default() += 1);
            times.into_iter().filter(|(c, n)| c.is_ascii_digit() || *n == 1).map(|(c, _)| c).collect()
        }
    };
    let mut lengths: BTreeMap<char, usize> = BTreeMap::new();
    for (c, &n) in inputs.iter().flatten().zip(operands.iter().flat_map(|t| &t.shape)) {
        let known = lengths.entry(*c).or_insert(n);
        *known = if *known == 1 { n } else { *known };
    }
    let added: Vec<char> = lengths.keys().copied().filter(|c| !output.contains(c)).collect();
    let lens = |names: &[char]| -> Vec<usize> { names.iter().map(|c| lengths[c]).collect() };
    let shape = lens(&output);
    let value = |index: Vec<usize>| {
        let (mut int, mut re, mut im, mut mass, mut count) = (0i128, Dd::from(0.0), Dd::from(0.0), 0.0, 0);
        for inner in indices(&lens(&added)) {
            let all: BTreeMap<char, usize> =
                output.iter().chain(&added).copied().zip(index.iter().chain(&inner).copied()).collect();
            let factor = |i: usize| {
                let at = |(c, &n): (&char, &usize)| if n == 1 { 0 } else { all[c] };
                let own: Vec<usize> = inputs[i].iter().zip(&operands[i].shape).map(at).collect();
                operands[i].data[place(&own, &operands[i].shape)]
            };
            let factors: Vec<Num> = (0..inputs.len()).map(factor).collect();
            if call.compute.is_int() {
                let term = factors.iter().fold(1, |p, x| wrap(x.int().wrapping_mul(p), call.compute));
                int = wrap(int + term, call.compute);
                continue;
            }
            let start = (Dd::from(1.0), Dd::from(0.0), 1.0);
            let term = factors.iter().fold(start, |(re, im, size), x| {
                let (a, b) = (Dd::from(x.re()), Dd::from(x.im()));
                (re * a - im * b, re * b + im * a, size * x.magnitude())
            });
            (re, im, mass, count) = (re + term.0, im + term.1, mass + term.2, count + 1);
        }
        match call.compute.is_int() {
            true => Value::int(int),
            false => Value::sum(re, im, mass, count.max(1) * inputs.len()),
        }
    };
    let data = indices(&shape).map(value).collect();
    Some(Truth { dtype: call.output(0), shape, data })
}
