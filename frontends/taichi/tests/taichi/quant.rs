//! Quantised numbers: what kernels read and write is what the host reads and writes, bit for bit.

use crate::support::on_all;
use ivy_taichi::types::layout::FieldId;
use ivy_taichi::types::{PrimitiveType, QuantFixed, QuantFloat, QuantInt, Type};
use ivy_taichi::{Config, Field, FieldTree, Program, Result, Vector, kernel};

const COUNT: usize = 96;

/// Pseudo-random numbers by the step of SplitMix64 (Steele, Lea and Flood, 2014).
struct Numbers(u64);

impl Numbers {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    fn below(&mut self, end: u32) -> u32 {
        (self.bits() % u64::from(end)) as u32
    }

    /// A number of any exponent, near 1 as often as not, and sometimes a special one.
    fn real(&mut self) -> f32 {
        const SPECIAL: [f32; 10] = [
            0.0,
            -0.0,
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::MAX,
            1e-40,
            -1.1754942e-38,
            0.5,
            -1.0,
        ];
        match self.below(8) {
            0 => SPECIAL[self.below(10) as usize],
            1..4 => f32::from_bits(self.bits() as u32),
            _ => (self.bits() as i32 as f32) / 2f32.powi(20 + self.below(14) as i32),
        }
    }
}

#[kernel]
fn copy(from: &Field<f32>, to: &Field<f32>) {
    for i in from {
        to[i] = from[i];
    }
}

#[kernel]
fn copy_wholes(from: &Field<i32>, to: &Field<i32>) {
    for i in from {
        to[i] = from[i];
    }
}

/// Elements that a parallel loop reaches by another index than its own: their words are exchanged.
#[kernel]
fn scatter(from: &Field<f32>, to: &Field<f32>) {
    for i in 0..96 {
        to[95 - i] = from[95 - i];
    }
}

#[kernel]
fn scatter_wholes(from: &Field<i32>, to: &Field<i32>) {
    for i in 0..96 {
        to[95 - i] = from[95 - i];
    }
}

/// A field of each type in one word of each cell; those of a group share an exponent.
fn packed(program: &Program, bits: u32, groups: &[(Vec<Type>, bool)]) -> Result<(FieldTree, Vec<FieldId>)> {
    let mut builder = program.fields_builder();
    let mut fields = Vec::new();
    let mut placed: Vec<(Vec<FieldId>, bool)> = Vec::new();
    for (types, shared) in groups {
        let mut own = Vec::new();
        for ty in types {
            own.push(builder.field("x", *ty)?);
        }
        fields.extend(own.iter().copied());
        placed.push((own, *shared));
    }
    let placed: Vec<(&[FieldId], bool)> = placed.iter().map(|(own, shared)| (&own[..], *shared)).collect();
    builder.root().dense("i", &[COUNT as i64])?.place_bits(bits, &placed)?;
    Ok((program.build(builder.finalize()?)?, fields))
}

/// A type of at most so many bits, and how many it needs.
fn random_type(numbers: &mut Numbers, room: u32) -> (Type, u32) {
    let signed = numbers.below(2) == 1;
    let bits = 2 + numbers.below(room.saturating_sub(1).min(24));
    match numbers.below(3) {
        0 => (QuantInt::new(bits, signed, None).unwrap().into(), bits),
        1 => {
            let most = f64::from(1 + numbers.below(50)) / 3.0;
            (QuantFixed::with_max(bits, signed, most, None).unwrap().into(), bits)
        }
        _ if room >= 6 => {
            let exponent = 1 + numbers.below(8.min(room - 4));
            let digits = 2 + numbers.below((room - exponent - 1).min(22));
            (QuantFloat::new(exponent, digits, signed, None).unwrap().into(), exponent + digits)
        }
        _ => (QuantInt::new(bits, signed, None).unwrap().into(), bits),
    }
}

fn bits_of(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// Writes a source to a field by a kernel and to its twin on the host, and compares both, read by kernels and by the host.
fn compare(
    program: &Program,
    trees: [&FieldTree; 2],
    ids: [FieldId; 2],
    seed: u64,
    by_scatter: bool,
) -> Result<()> {
    let mut numbers = Numbers(seed);
    let [written, twin] = [0, 1].map(|n| trees[n].untyped_field(ids[n]).unwrap());
    if written.number_type() == PrimitiveType::F32 {
        let from = program.field::<f32>(&[COUNT])?;
        let read = program.field::<f32>(&[COUNT])?;
        from.from_slice(&(0..COUNT).map(|_| numbers.real()).collect::<Vec<_>>())?;
        let [to, host] = [trees[0].field::<f32>(ids[0])?, trees[1].field::<f32>(ids[1])?];
        if by_scatter {
            scatter(&from, &to)?
        } else {
            copy(&from, &to)?
        }
        host.from_slice(&from.to_vec()?)?;
        copy(&to, &read)?;
        assert_eq!(
            bits_of(&to.to_vec()?),
            bits_of(&host.to_vec()?),
            "{} of {:?}",
            twin.name(),
            from.to_vec()?
        );
        assert_eq!(bits_of(&read.to_vec()?), bits_of(&host.to_vec()?), "{}", twin.name());
    } else {
        let from = program.field::<i32>(&[COUNT])?;
        let read = program.field::<i32>(&[COUNT])?;
        from.from_slice(&(0..COUNT).map(|_| numbers.bits() as i32).collect::<Vec<_>>())?;
        let indices: Vec<i64> = (0..COUNT as i64).collect();
        let unsigned = written.number_type() == PrimitiveType::U32;
        if unsigned {
            let to = trees[0].field::<u32>(ids[0])?;
            for &i in &indices {
                trees[1].field::<u32>(ids[1])?.set(&[i], from.get(&[i])? as u32)?;
            }
            whole_unsigned(&from, &to)?;
            back_unsigned(&to, &read)?;
        } else {
            let [to, host] = [trees[0].field::<i32>(ids[0])?, trees[1].field::<i32>(ids[1])?];
            if by_scatter {
                scatter_wholes(&from, &to)?
            } else {
                copy_wholes(&from, &to)?
            }
            host.from_slice(&from.to_vec()?)?;
            copy_wholes(&to, &read)?;
        }
        for &i in &indices {
            assert_eq!(written.get(&[i])?, twin.get(&[i])?, "{} of {}", twin.name(), from.get(&[i])?);
            assert_eq!(u64::from(read.get(&[i])? as u32), twin.get(&[i])?[0], "{}", twin.name());
        }
    }
    Ok(())
}

#[kernel]
fn whole_unsigned(from: &Field<i32>, to: &Field<u32>) {
    for i in from {
        to[i] = from[i];
    }
}

#[kernel]
fn back_unsigned(from: &Field<u32>, to: &Field<i32>) {
    for i in from {
        to[i] = from[i];
    }
}

#[test]
fn t_22_quantised_numbers_of_kernels_are_those_of_the_host() {
    on_all(Config::new(), |program| {
        let mut numbers = Numbers(7);
        for case in 0..24 {
            let bits = [8, 16, 32, 64][case % 4];
            let mut groups = Vec::new();
            let mut room = bits;
            while room >= 4 && groups.len() < 5 {
                let (ty, used) = random_type(&mut numbers, room);
                groups.push((vec![ty], false));
                room -= used;
            }
            let [(a, own), (b, twins)] = [packed(program, bits, &groups)?, packed(program, bits, &groups)?];
            for n in 0..own.len() {
                compare(program, [&a, &b], [own[n], twins[n]], case as u64 * 100 + n as u64, case % 3 == 0)?;
            }
            // What was written to one member left the others as they were.
            for n in 0..own.len() {
                let [a, b] = [a.untyped_field(own[n])?, b.untyped_field(twins[n])?];
                for i in 0..COUNT as i64 {
                    assert_eq!(a.get(&[i])?, b.get(&[i])?, "{bits} bits, {}", a.name());
                }
            }
        }
        Ok(())
    });
}

#[test]
fn t_22_exponents_that_several_numbers_share() {
    on_all(Config::new(), |program| {
        let mut numbers = Numbers(11);
        for case in 0..12 {
            let (exponent, signed) = (5 + case % 4, case % 2 == 0);
            let float = |digits| QuantFloat::new(exponent, digits, signed, None).map(Type::from);
            let count = 2 + numbers.below(2);
            let types: Vec<Type> = (0..count).map(|_| float(3 + numbers.below(14)).unwrap()).collect();
            let groups = [(types, true)];
            let [(a, own), (b, twins)] = [packed(program, 64, &groups)?, packed(program, 64, &groups)?];
            for round in 0..2 {
                for n in 0..own.len() {
                    let seed = u64::from(case * 1000 + round) + n as u64 * 50;
                    compare(program, [&a, &b], [own[n], twins[n]], seed, case % 3 == 1)?;
                }
            }
            for n in 0..own.len() {
                let [a, b] = [a.untyped_field(own[n])?, b.untyped_field(twins[n])?];
                for i in 0..COUNT as i64 {
                    assert_eq!(a.get(&[i])?, b.get(&[i])?);
                }
            }
        }
        Ok(())
    });
}

#[test]
fn t_22_quant_arrays_of_kernels() {
    on_all(Config::new(), |program| {
        for (bits, count, ty) in [
            (32, 8, Type::from(QuantInt::new(4, true, None)?)),
            (64, 8, QuantInt::new(7, true, None)?.into()),
            (16, 2, QuantFixed::with_max(5, true, 2.0, None)?.into()),
            (8, 8, QuantInt::new(1, true, None)?.into()),
            (32, 2, QuantFixed::with_scale(13, false, 0.25, None)?.into()),
        ] {
            let tree = || {
                let mut builder = program.fields_builder();
                let x = builder.field("x", ty)?;
                let words = (COUNT / count as usize) as i64;
                builder.root().dense("i", &[words])?.quant_array("i", &[count], bits)?.place(&[x])?;
                Ok::<_, ivy_taichi::Error>((program.build(builder.finalize()?)?, x))
            };
            let [(a, own), (b, twin)] = [tree()?, tree()?];
            compare(program, [&a, &b], [own, twin], 3, false)?;
            compare(program, [&a, &b], [own, twin], 4, true)?;
        }
        Ok(())
    });
}

#[kernel]
fn count(x: &Field<i32>, y: &Field<f32>, v: &Field<Vector<i32, 2>>) {
    for i in 0..960 {
        x[i % 4] += 1;
        atomic_max(y[i % 4], i / 960);
        v[i % 4] += [1, 2];
        v[0].x -= 1;
    }
}

#[test]
fn t_22_updates_of_a_word_by_many_iterations() {
    on_all(Config::new(), |program| {
        let mut builder = program.fields_builder();
        let x = builder.field("x", QuantInt::new(10, true, None)?)?;
        let y = builder.field("y", QuantFixed::with_max(12, false, 1.0, None)?)?;
        let v = builder.field("v", Type::vector(2, QuantInt::new(11, true, None)?)?)?;
        builder.root().dense("i", &[4])?.place_bits(64, &[(&[x, y], false), (&[v], false)])?;
        let tree = program.build(builder.finalize()?)?;
        let (x, y) = (tree.field::<i32>(x)?, tree.field::<f32>(y)?);
        let v = tree.field::<Vector<i32, 2>>(v)?;
        x.fill(-100)?;
        count(&x, &y, &v)?;
        assert_eq!(x.to_vec()?, [140; 4]);
        let steps = |value: f32| (value * 4096.0).round();
        assert_eq!(y.to_vec()?.into_iter().map(steps).collect::<Vec<_>>(), [4079.0, 4083.0, 4087.0, 4092.0]);
        assert_eq!(v.to_vec()?[1..], [Vector([240, 480]); 3]);
        assert_eq!(v.get(&[0])?, Vector([240 - 960, 480]));
        Ok(())
    });
}
