//! `torch.utils.data`: examples in batches.

use crate::Tensor;
use crate::nn::refuse;
use ivy_core::Result;
use ivy_frontend::Fault;

/// Examples that are the rows of tensors.
///
/// ```
/// use ivy_backend_ndarray as _;
/// use ivy_frontend_torch::utils::data::TensorDataset;
/// use ivy_frontend_torch::{Tensor, ones};
/// let data = TensorDataset::new([ones([5, 2], ())?, Tensor::new([0, 1, 0, 1, 1])?])?;
/// assert_eq!(data.len(), 5);
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TensorDataset {
    tensors: Vec<Tensor>,
    len: usize,
}

impl TensorDataset {
    /// Of tensors with as many rows each.
    ///
    /// # Errors
    /// [`FrontendCall`](ivy_core::ErrorKind::FrontendCall) for other numbers of rows, and tensors without axes.
    pub fn new(tensors: impl IntoIterator<Item = Tensor>) -> Result<TensorDataset> {
        let tensors: Vec<Tensor> = tensors.into_iter().collect();
        let rows: Vec<Option<usize>> = tensors.iter().map(|tensor| tensor.shape().first().copied()).collect();
        match rows.first().copied().flatten() {
            Some(len) if rows.iter().all(|&other| other == Some(len)) => Ok(TensorDataset { tensors, len }),
            _ => {
                let shapes: Vec<String> = tensors.iter().map(|tensor| tensor.shape().to_string()).collect();
                let rule = "tensors with as many rows each are needed";
                Err(refuse("utils.data.TensorDataset", "tensors", shapes.join(", "), rule, Fault::Value))
            }
        }
    }

    /// How many examples there are.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// True without examples.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// Batches of a dataset, in its order or shuffled anew for each pass.
///
/// ```
/// use ivy_backend_ndarray as _;
/// use ivy_frontend_torch::utils::data::{DataLoader, TensorDataset};
/// use ivy_frontend_torch::Tensor;
/// let loader = DataLoader::new(TensorDataset::new([Tensor::new([0, 1, 2, 3, 4])?])?, 2)?.shuffle(true);
/// let sizes: Vec<usize> = loader.iter()?.map(|batch| Ok(batch?[0].numel())).collect::<ivy_core::Result<_>>()?;
/// assert_eq!((sizes, loader.len()), (vec![2, 2, 1], 3));
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct DataLoader {
    dataset: TensorDataset,
    batch_size: usize,
    shuffle: bool,
    drop_last: bool,
}

impl DataLoader {
    /// Batches of so many examples; the last one may have fewer.
    ///
    /// # Errors
    /// [`FrontendCall`](ivy_core::ErrorKind::FrontendCall) for batches of no examples.
    pub fn new(dataset: TensorDataset, batch_size: usize) -> Result<DataLoader> {
        if batch_size == 0 {
            let rule = "batch_size should be a positive integer value";
            return Err(refuse("utils.data.DataLoader", "batch_size", "0".into(), rule, Fault::Value));
        }
        Ok(DataLoader { dataset, batch_size, shuffle: false, drop_last: false })
    }

    /// Whether the examples are shuffled, by the generator of [`manual_seed`](crate::manual_seed).
    #[must_use]
    pub fn shuffle(mut self, shuffle: bool) -> DataLoader {
        self.shuffle = shuffle;
        self
    }

    /// Whether a last batch of fewer examples is left out.
    #[must_use]
    pub fn drop_last(mut self, drop_last: bool) -> DataLoader {
        self.drop_last = drop_last;
        self
    }

    /// How many batches there are.
    pub const fn len(&self) -> usize {
        match self.drop_last {
            true => self.dataset.len() / self.batch_size,
            false => self.dataset.len().div_ceil(self.batch_size),
        }
    }

    /// True without batches.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A pass: the rows of each tensor for each batch.
    ///
    /// # Errors
    /// Those of drawing the order.
    pub fn iter(&self) -> Result<impl Iterator<Item = Result<Vec<Tensor>>> + '_> {
        let order = if self.shuffle { Some(crate::randperm(self.dataset.len(), ())?) } else { None };
        Ok((0..self.len()).map(move |batch| {
            let start = batch * self.batch_size;
            let size = self.batch_size.min(self.dataset.len() - start);
            let rows = order.as_ref().map(|order| crate::narrow(order, 0, start, size, ())).transpose()?;
            let part = |tensor: &Tensor| match &rows {
                Some(rows) => crate::index_select(tensor, 0, rows, ()),
                None => crate::narrow(tensor, 0, start, size, ()),
            };
            self.dataset.tensors.iter().map(part).collect()
        }))
    }
}
