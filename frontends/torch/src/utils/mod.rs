//! `torch.utils`.

pub mod data;
