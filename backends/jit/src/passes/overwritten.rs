//! What is written again before anybody reads it.

use super::alias::{Place, Root, waits};
use crate::ir::{Code, Id, Kernel, Rule};
use std::collections::HashSet;

/// Drops what is written and then written again in the same block, and what is written to memory of an
/// element's own that nobody reads.
pub fn overwritten(kernel: &mut Kernel) {
    if kernel.effects.is_none() || !kernel.has(Code::StoreAt) {
        return;
    }
    let reads = |id: Id| kernel.statement(id).memory().filter(|_| kernel.statement(id).code == Code::LoadAt);
    let read: HashSet<Id> = kernel.blocks.iter().flatten().filter_map(|&id| reads(id)).collect();
    for number in 1..kernel.blocks.len() {
        block(kernel, number, &read);
    }
}

/// The last statement first, with what is written from there on.
fn block(kernel: &mut Kernel, number: usize, read: &HashSet<Id>) {
    let mut later: HashSet<Place> = HashSet::new();
    let mut ids = std::mem::take(&mut kernel.blocks[number]);
    ids.reverse();
    ids.retain(|&id| {
        let s = kernel.statement(id);
        match (s.code, Place::of(kernel, id)) {
            (Code::StoreAt, Some(place)) => {
                let unread = |local: Id| !read.contains(&local);
                return !matches!(place.root, Root::Own(local) if unread(local)) && later.insert(place);
            }
            // Elements that leave the loop write no more.
            (Code::While, _) => later.clear(),
            _ => forget(kernel, id, &mut later),
        }
        true
    });
    ids.reverse();
    kernel.blocks[number] = ids;
}

/// What a statement may read, or one in its blocks, is not only written later.
fn forget(kernel: &Kernel, id: Id, later: &mut HashSet<Place>) {
    let s = kernel.statement(id);
    let reads = matches!(s.code.rule(), Rule::LoadAt | Rule::Atomic(_) | Rule::Cas);
    if let (true, Some(place)) = (reads, Place::of(kernel, id)) {
        later.retain(|p| !p.may_be(&place));
    }
    if waits(kernel, id) {
        later.retain(|p| matches!(p.root, Root::Own(_)));
    }
    for held in kernel.held(id) {
        kernel.blocks[held].iter().for_each(|&inner| forget(kernel, inner, later));
    }
}
