//! What a thread does with the elements of a row that are its own.

use super::{AHEAD, Element, LONG, NEAR, Piece, Stand, Team, Writer};
use crate::codegen::From;
use crate::codegen::ptx::folds::Total;
use crate::codegen::ptx::text::{Bank, Values};
use crate::ir::fold::{BLOCK, LANES};
use crate::ir::{Access, Code, Id, Kernel, Place, Type};
use std::collections::{BTreeMap, HashMap};

impl<'k> Writer<'k> {
    /// A warp's part of a row, from an element of each thread on: each block's fold in the first of its
    /// threads.
    pub(super) fn part(
        &mut self,
        piece: &'k Piece<'k>,
        totals: &[Total],
        top: &Values,
        known: &HashMap<(usize, usize), String>,
        first: &str,
    ) -> Vec<String> {
        let abreast = self.form.abreast as usize;
        let sums: Vec<Vec<String>> =
            totals.iter().map(|t| (0..abreast).map(|_| self.text.identity(t)).collect()).collect();
        let steps = match self.form.team {
            Team::Part { steps, .. } => steps as usize,
            Team::Block { .. } => BLOCK / LANES,
        };
        let some = self.abreast_steps(piece, steps);
        if some == steps {
            self.steps(piece, totals, &sums, top, known, (first, steps));
        } else {
            let end = self.text.put(Bank::Word, "add.u32", &[first, &(steps * LANES).to_string()]);
            let end = self.text.put(Bank::Word, "min.u32", &[&end, &self.length.clone()]);
            let each = self.text.open("step", first, &end, &(some * LANES).to_string());
            self.steps(piece, totals, &sums, top, known, (&each.i.clone(), some));
            self.text.close(each);
        }
        // The lanes in halves: by threads and then those of a thread, or the other way round if these are apart.
        let mut folded = Vec::new();
        let threads = self.form.group() as usize;
        for (t, mut lanes) in totals.iter().zip(sums) {
            if self.form.stand == Stand::Apart {
                self.halves(t, &mut lanes);
            }
            let mut distance = threads / 2;
            while distance > 0 {
                for lane in &mut lanes {
                    let other = self.text.behind(t.bank(), lane, distance as u32);
                    *lane = self.text.join(t, lane, &other);
                }
                distance /= 2;
            }
            self.halves(t, &mut lanes);
            folded.append(&mut lanes);
        }
        folded
    }

    /// Joins a thread's lanes in halves.
    fn halves(&mut self, t: &Total, lanes: &mut Vec<String>) {
        while lanes.len() > 1 {
            let upper = lanes.split_off(lanes.len() / 2);
            let pairs: Vec<_> = lanes.iter().zip(&upper).collect();
            *lanes = pairs.into_iter().map(|(a, b)| self.text.join(t, a, b)).collect();
        }
    }

    /// How many steps a thread does side by side: so many that enough of what it reads from memory is asked
    /// for before it waits, and that its values have the registers.
    fn abreast_steps(&self, piece: &Piece<'_>, steps: usize) -> usize {
        let (kernel, abreast) = (piece.kernel, self.form.abreast as usize);
        let words = |i: usize| {
            let p = kernel.params[i];
            // Each by itself has an address of its own.
            let address = if p.access == Access::Strided { 2 * abreast } else { 0 };
            (p.bytes() * abreast).div_ceil(4) + address
        };
        let far = |(i, from): (usize, &From)| match *from {
            From::Outside(input) if piece.reads(i) => {
                let kept = self.form.slots.inputs[input].is_some() && !self.is_first(piece, input);
                if kept { 0 } else { words(i) }
            }
            _ => 0,
        };
        let read: usize = piece.from.iter().enumerate().map(far).sum();
        let work = |id: &Id| match kernel.statement(*id).code {
            Code::Div | Code::Rem | Code::Sqrt => 8,
            _ => 1,
        };
        let work = kernel.blocks.iter().skip(1).flatten().map(work).sum::<usize>() * abreast;
        let most = if read == 0 { NEAR } else { LONG };
        let fits = |n: &usize| steps.is_multiple_of(*n) && n * read <= AHEAD && n * work <= most;
        (1..=steps).rev().find(fits).unwrap_or(1)
    }

    /// Some steps of a thread, all of whose elements are read before any is computed with.
    fn steps(
        &mut self,
        piece: &'k Piece<'k>,
        totals: &[Total],
        sums: &[Vec<String>],
        top: &Values,
        known: &HashMap<(usize, usize), String>,
        (first, steps): (&str, usize),
    ) {
        let there = self.all_on_device(first, steps);
        // By parameter: registers by step, element and part.
        let mut read: BTreeMap<usize, Vec<Vec<String>>> = BTreeMap::new();
        let mut kept = Vec::new();
        for (i, from) in piece.from.iter().enumerate().filter(|(i, _)| piece.reads(*i)) {
            let p = piece.kernel.params[i];
            let (slot, fresh) = match *from {
                From::Value(value) => (self.form.slots.values[value], false),
                From::Outside(input) => {
                    let slot = self.form.slots.inputs[input];
                    let fresh = slot.is_some() && self.is_first(piece, input);
                    (slot, fresh)
                }
            };
            let registers = match (slot, *from) {
                (Some(slot), _) if !fresh => self.kept(slot, p, first, &there),
                (_, From::Outside(input)) => self.outside(input, p, first, &there),
                (_, From::Value(_)) => continue,
            };
            if let (Some(slot), true) = (slot, fresh) {
                kept.push((slot, i));
            }
            read.insert(i, registers);
        }
        for (slot, i) in kept {
            let p = piece.kernel.params[i];
            for (step, there) in there.iter().enumerate() {
                self.keep(slot, p, (first, step), &read[&i][step], Some(there));
            }
        }
        for (step, there) in there.iter().enumerate() {
            // Those apart are computed where there are none as well: they are in nobody's way.
            let after = (self.form.stand == Stand::Beside).then(|| self.text.label("after"));
            if let Some(after) = &after {
                self.text.line(format_args!("@!{} bra {after};", there[0]));
            }
            let mut results = self.elements(piece, (totals, sums), (top, known), (first, step), &read, there);
            for (i, &value) in piece.gives.iter().enumerate() {
                let param = piece.from.len() + i;
                let (Some(parts), p) = (results.remove(&param), piece.kernel.params[param]) else { continue };
                let parts: Vec<String> = match p.ty {
                    Type::Bool => {
                        parts.iter().map(|x| self.text.put(Bank::Word, "selp.u32", &["1", "0", x])).collect()
                    }
                    _ => parts,
                };
                let there = after.is_none().then_some(there);
                match self.form.slots.values[value] {
                    Some(slot) => self.keep(slot, p, (first, step), &parts, there),
                    None => {
                        let base = self.text.element(&self.result.clone(), first, p.bytes());
                        self.write(p, "global", (&base, step * LANES * p.bytes()), &parts, there);
                    }
                }
            }
            if let Some(after) = &after {
                self.text.place(after);
            }
        }
    }

    /// By step: whether each of a thread's elements is there.
    fn all_on_device(&mut self, first: &str, steps: usize) -> Vec<Vec<String>> {
        let (length, abreast, distance) =
            (self.length.clone(), self.form.abreast as usize, self.form.distance());
        let mut is_there = |step: usize, element: usize| {
            let beyond = (step * LANES + element * distance).to_string();
            let i = self.text.put(Bank::Word, "add.u32", &[first, &beyond]);
            self.text.test("setp.lt.u32", &[&i, &length])
        };
        let of_step = |step: usize| match self.form.stand {
            // All are if one is.
            Stand::Beside => vec![is_there(step, 0); abreast],
            Stand::Apart => (0..abreast).map(|element| is_there(step, element)).collect(),
        };
        (0..steps).map(of_step).collect()
    }

    /// A thread's elements of a step: what is stored by parameter; what is folded is joined.
    fn elements(
        &mut self,
        piece: &'k Piece<'k>,
        (totals, sums): (&[Total], &[Vec<String>]),
        (top, known): (&Values, &HashMap<(usize, usize), String>),
        (first, step): (&str, usize),
        read: &BTreeMap<usize, Vec<Vec<String>>>,
        there: &[String],
    ) -> HashMap<usize, Vec<String>> {
        let kernel = piece.kernel;
        let mut lanes = Vec::new();
        for element in 0..there.len() {
            let mut known = known.clone();
            for (&i, registers) in read {
                let p = kernel.params[i];
                for part in 0..p.parts as usize {
                    let raw = &registers[step][element * p.parts as usize + part];
                    let value = match p.ty {
                        Type::Bool => self.text.test("setp.ne.u32", &[raw, "0"]),
                        _ => raw.clone(),
                    };
                    known.insert((i, part), value);
                }
            }
            let at = self.places_of(piece, first, step * LANES + element * self.form.distance());
            for (n, at) in at {
                self.text.at.insert((n, element), (at, 0));
            }
            lanes.push(Element { values: top.clone(), known, stores: Vec::new() });
        }
        self.abreast(kernel, kernel.body(), &mut lanes);
        let mut results: HashMap<usize, Vec<String>> = HashMap::new();
        for (element, lane) in lanes.into_iter().enumerate() {
            for (param, parts) in lane.stores {
                if kernel.params[param].access.along().is_none() {
                    results.entry(param).or_default().extend(parts);
                    continue;
                }
                for (t, sums) in totals.iter().zip(sums).filter(|(t, _)| t.param == param) {
                    let joined = self.text.join(t, &sums[element], &parts[t.part]);
                    let joined = match self.form.stand {
                        Stand::Beside => joined,
                        Stand::Apart => self.text.select(t.ty, &there[element], &joined, &sums[element]),
                    };
                    self.text.assign(t.bank(), &sums[element], &joined);
                }
            }
        }
        results
    }

    /// True if no piece before reads an input's elements.
    fn is_first(&self, piece: &Piece<'_>, input: usize) -> bool {
        let reads = |p: &&Piece<'_>| {
            p.from.iter().enumerate().any(|(i, from)| *from == From::Outside(input) && p.reads(i))
        };
        self.pieces.iter().find(reads).is_some_and(|first| std::ptr::eq(first, piece))
    }

    /// Where the elements are that statements read by themselves, by parameter.
    fn places_of(&mut self, piece: &Piece<'_>, first: &str, distance: usize) -> Vec<(usize, String)> {
        let mut places = Vec::new();
        let mut element: Option<String> = None;
        for (i, (from, p)) in piece.from.iter().zip(&piece.kernel.params).enumerate() {
            let (From::Outside(input), Access::Guarded(_) | Access::Counter(_)) = (*from, p.access) else {
                continue;
            };
            if p.access.is_uniform() {
                continue;
            }
            let at = match element.take() {
                Some(found) => found,
                None => self.place(first, distance),
            };
            places.push((i, self.walked(input, &at)));
            element = Some(at);
        }
        places
    }

    /// The number of an element that is so far from a thread's first one; the row's last one beyond that: those apart
    /// are computed there too.
    fn place(&mut self, first: &str, distance: usize) -> String {
        let at = self.text.put(Bank::Word, "add.u32", &[first, &distance.to_string()]);
        match self.form.stand {
            Stand::Beside => at,
            Stand::Apart => self.text.put(Bank::Word, "min.u32", &[&at, &self.last.clone()]),
        }
    }

    /// Writes statements for some elements, each for all of them before the next one, so that chains of operations
    /// wait together.
    pub(super) fn abreast(&mut self, kernel: &'k Kernel, ids: &[Id], elements: &mut [Element]) {
        if elements.len() > 1 && (kernel.has(Code::Loop) || kernel.has(Code::If)) {
            // What they give is that of the element at hand.
            for (lane, element) in elements.iter_mut().enumerate() {
                self.text.lane = lane;
                ids.iter().for_each(|&id| self.one(kernel, id, element));
            }
        } else {
            for &id in ids {
                if kernel.statement(id).code == Code::Rare {
                    let mut values: Vec<Values> =
                        elements.iter_mut().map(|element| std::mem::take(&mut element.values)).collect();
                    self.text.rare_abreast(kernel, id, &mut values);
                    elements.iter_mut().zip(values).for_each(|(element, values)| element.values = values);
                    continue;
                }
                for (lane, element) in elements.iter_mut().enumerate() {
                    self.text.lane = lane;
                    self.one(kernel, id, element);
                }
            }
        }
        self.text.lane = 0;
    }

    /// Writes a statement for an element.
    fn one(&mut self, kernel: &'k Kernel, id: Id, element: &mut Element) {
        let s = kernel.statement(id);
        let place = Place::of(s.imm);
        let loaded = element.known.get(&(place.param as usize, place.part as usize));
        match (s.code, loaded) {
            (Code::Load, Some(value)) => {
                element.values.insert(id, value.clone());
            }
            (Code::Store, _) => {
                let parts = s.operands.iter().map(|o| element.values[o].clone()).collect();
                element.stores.push((s.imm as usize, parts));
            }
            _ => self.text.one(kernel, id, &mut element.values),
        }
    }
}
