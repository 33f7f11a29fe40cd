//! Layers: what they give where truths have no samples, and what they refuse.

use ivy::prelude::*;
use ivy::{
    AdaptivePool, Attention, AvgPool, Conv, ConvGeneral, ConvTranspose, DataFormat, Dct, Embedding,
    Interpolate, InterpolateMode, Linear, LstmUpdate, MaxPool, MultiHeadAttention, Padding, ReduceWindow,
    Result, SlidingWindow, Stft, WindowReduction,
};

fn refused<T>(result: Result<T>) -> String {
    let Err(error) = result else { panic!("this call has to fail") };
    let fields = error.kind().fields();
    let of =
        |wanted: &str| fields.iter().find(|f| f.0 == wanted).map(|f| f.1.to_string()).unwrap_or_default();
    format!("{} {} {}", error.kind().name(), of("function"), of("argument")).trim_end().to_string()
}

fn ones<const N: usize>(shape: [usize; N]) -> Array {
    ivy::ones(shape, Dtype::FLOAT32).unwrap()
}

#[test]
fn convolutions_refuse_what_does_not_fit() {
    let (x, w) = (ones([1, 4, 4, 2]), ones([3, 3, 2, 5]));
    let conv = |x: &Array, w: &Array, strides: usize, padding: Padding, params: Conv| {
        refused(ivy::conv2d(x, w, strides, padding, params))
    };
    let valid = || Padding::Valid;
    assert_eq!(conv(&ones([4, 4, 2]), &w, 1, valid(), Conv::new()), "ShapeMismatch conv2d x");
    assert_eq!(conv(&x, &ones([3, 3, 2]), 1, valid(), Conv::new()), "ShapeMismatch conv2d filters");
    assert_eq!(conv(&x, &ones([3, 3, 3, 5]), 1, valid(), Conv::new()), "ShapeMismatch conv2d filters");
    assert_eq!(conv(&x, &ones([5, 3, 2, 5]), 1, valid(), Conv::new()), "InvalidArgument conv2d padding");
    assert_eq!(conv(&x, &w, 0, valid(), Conv::new()), "InvalidArgument conv2d strides");
    assert_eq!(conv(&x, &w, 1, valid(), Conv::new().dilations(0)), "InvalidArgument conv2d dilations");
    assert_eq!(
        conv(&x, &w, 1, valid(), Conv::new().x_dilations([1, 2, 3])),
        "InvalidArgument conv2d x_dilations"
    );
    assert_eq!(
        conv(&x, &w, 1, [(0, 0), (1, 1), (2, 2)].into(), Conv::new()),
        "InvalidArgument conv2d padding"
    );
    assert_eq!(conv(&x, &w, 1, (-9).into(), Conv::new()), "InvalidArgument conv2d padding");
    assert_eq!(conv(&x, &w, 1, i64::MAX.into(), Conv::new()), "InvalidArgument conv2d padding");
    let format = Conv::new().data_format(DataFormat::Nwc);
    assert_eq!(conv(&x, &w, 1, valid(), format), "InvalidArgument conv2d data_format");
    assert_eq!(conv(&x, &w, 1, valid(), Conv::new().bias(ones([4]))), "ShapeMismatch conv2d bias");
    assert_eq!(conv(&x, &w, 1, (1 << 58).into(), Conv::new()), "SizeOverflow conv2d");
    let groups = ConvGeneral::new().feature_group_count(3usize);
    let general = refused(ivy::conv_general_dilated(&x, &w, 1, valid(), groups));
    assert_eq!(general, "ShapeMismatch conv_general_dilated filters");
    let dims = refused(ivy::conv_general_dilated(&x, &w, 1, valid(), ConvGeneral::new().dims(4usize)));
    assert_eq!(dims, "InvalidArgument conv_general_dilated dims");
    let truth = ivy::astype(&x, Dtype::BOOL).unwrap();
    assert!(refused(ivy::conv2d(&truth, &truth, 1, 0, ())).starts_with("OutsideDomain conv2d"));
    assert_eq!(
        refused(ivy::depthwise_conv2d(&x, ones([2, 2, 3]), 1, 0, ())),
        "ShapeMismatch depthwise_conv2d filters"
    );
}

#[test]
fn transposed_convolutions_refuse_what_does_not_fit() {
    let (x, w) = (ones([1, 4, 2]), ones([3, 5, 2]));
    let to = |length: usize| ConvTranspose::new().output_shape([length]);
    let same = ivy::conv1d_transpose(&x, &w, 2, Padding::Same, to(7)).unwrap();
    assert_eq!(same.shape().to_string(), "(1, 7, 5)");
    let of =
        |padding: Padding, params: ConvTranspose| refused(ivy::conv1d_transpose(&x, &w, 2, padding, params));
    assert_eq!(of(Padding::Same, to(9)), "InvalidArgument conv1d_transpose output_shape");
    assert_eq!(
        of(Padding::Same, ConvTranspose::new().output_shape([1, 2])),
        "InvalidArgument conv1d_transpose output_shape"
    );
    assert_eq!(of(9.into(), ConvTranspose::new()), "InvalidArgument conv1d_transpose padding");
    assert_eq!(
        refused(ivy::conv1d_transpose(&x, ones([3, 5, 3]), 1, 0, ())),
        "ShapeMismatch conv1d_transpose filters"
    );
    assert_eq!(
        refused(ivy::conv1d_transpose(&x, &w, usize::MAX, 0, ())),
        "InvalidArgument conv1d_transpose strides"
    );
}

#[test]
fn pools_and_windows_refuse_what_does_not_fit() {
    let x = ones([1, 4, 2]);
    let max = |kernel: usize, padding: Padding, params: MaxPool| {
        refused(ivy::max_pool1d(&x, kernel, 1, padding, params))
    };
    assert_eq!(max(5, Padding::Valid, MaxPool::new()), "InvalidArgument max_pool1d kernel");
    assert_eq!(max(0, Padding::Valid, MaxPool::new()), "InvalidArgument max_pool1d kernel");
    assert_eq!(max(2, (-1).into(), MaxPool::new()), "InvalidArgument max_pool1d padding");
    assert_eq!(max(2, Padding::Valid, MaxPool::new().dilation(9)), "InvalidArgument max_pool1d kernel");
    let format = MaxPool::new().data_format(DataFormat::Nhwc);
    assert_eq!(max(2, Padding::Valid, format), "InvalidArgument max_pool1d data_format");
    assert_eq!(refused(ivy::max_pool2d(&x, 1, 1, 0, ())), "ShapeMismatch max_pool2d x");
    let none = AvgPool::new().divisor_override(0);
    assert_eq!(refused(ivy::avg_pool1d(&x, 1, 1, 0, none)), "InvalidArgument avg_pool1d divisor_override");
    assert_eq!(
        refused(ivy::adaptive_avg_pool1d(&x, 0, ())),
        "InvalidArgument adaptive_avg_pool1d output_size"
    );
    let format = AdaptivePool::new().data_format(DataFormat::Nhwc);
    assert_eq!(
        refused(ivy::adaptive_avg_pool1d(&x, 1, format)),
        "InvalidArgument adaptive_avg_pool1d data_format"
    );
    assert_eq!(
        refused(ivy::adaptive_avg_pool2d(ones([1, 0, 2, 1]), 2, ())),
        "InvalidArgument adaptive_avg_pool2d input"
    );
    assert_eq!(refused(ivy::sliding_window(&x, [2, 2], ())), "InvalidArgument sliding_window kernel_size");
    let apart = SlidingWindow::new().dilation(7);
    assert_eq!(refused(ivy::sliding_window(&x, [1, 2, 1], apart)), "InvalidArgument sliding_window kernel");
    let add = WindowReduction::Add;
    let strides = ReduceWindow::new().window_strides(0);
    assert_eq!(
        refused(ivy::reduce_window(&x, 0, add, 1, strides)),
        "InvalidArgument reduce_window window_strides"
    );
    let byte = ivy::ones([2], Dtype::UINT8).unwrap();
    assert!(
        refused(ivy::reduce_window(&byte, 300, add, 1, ())).starts_with("ScalarOutOfRange reduce_window")
    );
}

#[test]
fn attention_and_recurrent_steps_refuse_what_does_not_fit() {
    let (q, k) = (ones([2, 4]), ones([3, 4]));
    let of = |params: Attention| refused(ivy::scaled_dot_product_attention(&q, &k, &k, params));
    let mask = ivy::ones([2, 3], Dtype::BOOL).unwrap();
    let name = "scaled_dot_product_attention";
    assert_eq!(of(Attention::new().mask(&mask).is_causal()), format!("InvalidArgument {name} is_causal"));
    assert_eq!(
        of(Attention::new().mask(ivy::ones([9, 2, 3], Dtype::BOOL).unwrap())),
        format!("ShapeMismatch {name} mask")
    );
    assert_eq!(of(Attention::new().dropout_p(2.0)), format!("InvalidArgument {name} dropout_p"));
    let key = refused(ivy::scaled_dot_product_attention(&q, ones([3, 5]), &k, ()));
    assert_eq!(key, format!("ShapeMismatch {name} key"));
    // A query that sees nothing gets nothing.
    let nothing = Attention::new().mask(ivy::zeros([2, 3], Dtype::BOOL).unwrap());
    let y = ivy::scaled_dot_product_attention(&q, &k, &k, nothing).unwrap();
    assert!(y.to_vec::<f32>().unwrap().iter().all(|&y| y == 0.0));
    let heads = |params: MultiHeadAttention| refused(ivy::multi_head_attention(ones([1, 2, 4]), params));
    let name = "multi_head_attention";
    assert_eq!(
        heads(MultiHeadAttention::new().num_heads(3usize)),
        format!("InvalidArgument {name} num_heads")
    );
    let two = || MultiHeadAttention::new().num_heads(2usize);
    assert_eq!(heads(two().q_proj_weights(ones([4, 4]))), format!("InvalidArgument {name} in_proj_weights"));
    assert_eq!(heads(two().bias_k(ones([1, 1, 4]))), format!("InvalidArgument {name} bias_k"));
    assert_eq!(heads(two().attention_mask(ones([3, 3]))), format!("ShapeMismatch {name} attention_mask"));
    assert_eq!(heads(two().key_padding_mask(ones([1, 3]))), format!("ShapeMismatch {name} key_padding_mask"));
    assert_eq!(heads(two().key(ones([2, 2, 4]))), format!("ShapeMismatch {name} key"));
    assert_eq!(heads(two().static_k(ones([2, 2, 3]))), format!("ShapeMismatch {name} static_k"));
    assert_eq!(heads(two().out_proj_bias(ones([4]))), format!("ShapeMismatch {name} out_proj_bias"));
    let (h, kernel, recurrent) = (ones([2, 3]), ones([4, 12]), ones([3, 12]));
    let lstm =
        |x: &Array, params: LstmUpdate| refused(ivy::lstm_update(x, &h, &h, &kernel, &recurrent, params));
    assert_eq!(lstm(&ones([2, 5, 3]), LstmUpdate::new()), "ShapeMismatch lstm_update kernel");
    assert_eq!(lstm(&ones([5, 2, 4]), LstmUpdate::new()), "ShapeMismatch lstm_update x");
    assert_eq!(lstm(&ones([2, 5, 4]), LstmUpdate::new().bias(ones([3]))), "ShapeMismatch lstm_update bias");
}

#[test]
fn tables_samples_and_transforms_refuse_what_does_not_fit() {
    let index = Array::try_from([3i64]).unwrap();
    assert!(refused(ivy::embedding(ones([3, 2]), &index, ())).starts_with("IndexOutOfRange"));
    assert_eq!(refused(ivy::embedding(ones([3]), &index, ())), "ShapeMismatch embedding weights");
    let below = Embedding::new().max_norm(-1.0);
    assert_eq!(refused(ivy::embedding(ones([4, 2]), &index, below)), "InvalidArgument embedding max_norm");
    let x = ones([1, 1, 4]);
    assert_eq!(refused(ivy::interpolate(&x, None, ())), "InvalidArgument interpolate size");
    assert_eq!(refused(ivy::interpolate(&x, 0, ())), "InvalidArgument interpolate size");
    assert_eq!(refused(ivy::interpolate(&x, [2, 2], ())), "InvalidArgument interpolate size");
    let mode = |mode| Interpolate::new().mode(mode);
    assert_eq!(
        refused(ivy::interpolate(&x, 2, mode(InterpolateMode::Bilinear))),
        "ShapeMismatch interpolate x"
    );
    let corners = mode(InterpolateMode::Nearest).align_corners();
    assert_eq!(refused(ivy::interpolate(&x, 2, corners)), "InvalidArgument interpolate align_corners");
    let factor = Interpolate::new().scale_factor(0.0);
    assert_eq!(refused(ivy::interpolate(&x, None, factor)), "InvalidArgument interpolate scale_factor");
    assert_eq!(refused(ivy::dct(&x, Dct::new().r#type(5))), "InvalidArgument dct type");
    assert_eq!(refused(ivy::dct(ones([1]), Dct::new().r#type(1))), "InvalidArgument dct n");
    assert_eq!(refused(ivy::dct(ones([0]), ())), "InvalidArgument dct n");
    assert_eq!(refused(ivy::stft(ones([4]), 0, 1, ())), "InvalidArgument stft frame_length");
    let window = Stft::new().window_fn(ones([3]));
    assert_eq!(refused(ivy::stft(ones([4]), 2, 1, window)), "ShapeMismatch stft window_fn");
    let linear = refused(ivy::linear(ones([2, 3]), ones([2, 4]), Linear::new()));
    assert_eq!(linear, "ShapeMismatch linear x");
}
