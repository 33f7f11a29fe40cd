//! What does not fit: errors at the call, and of what is pending.

use super::*;

fn refused<T: std::fmt::Debug>(result: Result<T>) -> String {
    let error = result.expect_err("this call has to fail");
    let fields: Vec<String> = error.kind().fields().iter().map(|(name, v)| format!("{name}={v}")).collect();
    format!("{} {}", error.kind().name(), fields.join(" "))
}

#[test]
fn what_does_not_fit_is_refused() {
    everywhere(|| {
        let (x, one) = (ivy::ones([2, 3], Dtype::FLOAT32)?, ivy::ones(3, Dtype::FLOAT32)?);
        let read = |result: Result<Array>| refused(result.and_then(|x| x.to_vec::<f32>()));
        let starts = |text: String, with: &str| assert!(text.starts_with(with), "{text}\n{with}");
        let on = || bools(&[true, false, true]);
        // The first lane that is not left out.
        let far = ints(&[0, 9, -7]);
        let gathered = |x: &Array, axis: i64| ivy::gather(x, &far, Gather::new().axis(axis).mask(on()));
        let error = read(gathered(&x, 1));
        starts(error.clone(), "IndexOutOfRange");
        assert!(error.contains("index=-7 axis=1 length=3 position=2"), "{error}");
        let put = |out: &Array| ivy::scatter_flat(&far, &one, ScatterFlat::new().out(out).mask(on()));
        let error = read(put(&one));
        assert!(error.contains("index=-7 axis=0 length=3 position=2"), "{error}");
        let incremented = ivy::scatter_inc(ivy::zeros(3, Dtype::INT32)?, &far, ScatterInc::new().mask(on()));
        let error = refused(incremented.and_then(|done| done.target.to_vec::<i32>()));
        assert!(error.contains("index=-7 axis=0 length=3 position=2"), "{error}");
        for bad in [ints(&[3, 0, 0]), ints(&[-4, 0, 0])] {
            let exchanged = ivy::scatter_exch(&one, &one, &bad, ());
            let error = refused(exchanged.and_then(|done| done.old.to_vec::<f32>()));
            assert!(error.contains("axis=0 length=3 position=0"), "{error}");
            let error = read(ivy::scatter_flat(&bad, &one, ScatterFlat::new().size(3usize).mask(on())));
            assert!(error.contains("axis=0 length=3 position=0"), "{error}");
        }
        // No place is one, where there is none.
        let none = ivy::zeros(0, Dtype::FLOAT32)?;
        let some = bools(&[false, true, true]);
        let error = read(ivy::gather(&none, &far, Gather::new().mask(&some)));
        starts(error, "IndexOutOfRange function=gather index=9 axis=0 length=0 position=1");
        let error = read(ivy::scatter_flat(&far, &one, ScatterFlat::new().out(&none).mask(&some)));
        starts(error, "IndexOutOfRange function=scatter_flat index=9 axis=0 length=0 position=1");
        // Shapes.
        let wide = bools(&[true; 4]);
        starts(
            read(ivy::gather(&x, &far, Gather::new().mask(&wide))),
            "ShapeMismatch function=gather argument=mask",
        );
        let deep = ivy::ones([2, 3], Dtype::BOOL)?;
        let flat = |mask: &Array| ScatterFlat::new().size(3usize).mask(mask);
        starts(
            read(ivy::scatter_flat(&far, &one, flat(&deep))),
            "ShapeMismatch function=scatter_flat argument=mask",
        );
        let exch = |target: &Array, value: &Array| ivy::scatter_exch(target, value, ints(&[0, 1, 2]), ());
        starts(refused(exch(&x, &one)), "ShapeMismatch function=scatter_exch argument=target");
        starts(refused(exch(&one, &x)), "ShapeMismatch function=scatter_exch argument=value");
        let cas = ivy::scatter_cas(&one, &x, &one, ints(&[0, 1, 2]), ());
        starts(refused(cas), "ShapeMismatch function=scatter_cas argument=compare");
        let cas = ivy::scatter_cas(&one, &one, &one, ints(&[0, 1, 2]), ScatterCas::new().mask(&wide));
        starts(refused(cas), "ShapeMismatch function=scatter_cas argument=mask");
        // Dtypes.
        let halves = Array::try_from([0.5f32, 1.0, 2.0])?;
        starts(
            read(ivy::gather(&x, &far, Gather::new().mask(&halves))),
            "OutsideDomain function=gather operand=mask",
        );
        starts(
            refused(ivy::scatter_exch(&one, &one, &halves, ())),
            "OutsideDomain function=scatter_exch operand=indices",
        );
        // Blocks.
        let by = |size, params: BlockReduce| read(ivy::block_reduce(&one, size, params));
        starts(by(0, BlockReduce::new()), "InvalidArgument function=block_reduce argument=block_size");
        let replace = BlockReduce::new().reduction(Reduction::Replace);
        starts(by(2, replace), "InvalidArgument function=block_reduce argument=reduction");
        starts(by(2, BlockReduce::new().axis(1)), "AxisOutOfRange function=block_reduce");
        starts(by(2, BlockReduce::new().reduction(Reduction::And)), "WrongDtypeKind function=block_reduce");
        let least = BlockPrefixReduce::new().reduction(Reduction::Min);
        let complex = ivy::ones(3, Dtype::COMPLEX64)?;
        starts(
            refused(ivy::block_prefix_reduce(&complex, 2, least)),
            "WrongDtypeKind function=block_prefix_reduce",
        );
        starts(
            refused(ivy::block_prefix_reduce(&one, 0, ())),
            "InvalidArgument function=block_prefix_reduce",
        );
        let scalar = ivy::ones(Shape::default(), Dtype::INT32)?;
        starts(refused(ivy::block_reduce(&scalar, 1, ())), "AxisOutOfRange function=block_reduce");
        Ok(())
    });
}

/// Where a program reads or writes at an index, errors name the function that it called, whatever op does it.
#[test]
fn errors_name_the_function() {
    type Call<'f> = (&'static str, &'f dyn Fn(&Array) -> Result<Array>);
    everywhere(|| {
        let x = ivy::reshape(ivy::arange(12, Dtype::FLOAT32)?, [3, 4], ())?;
        let (line, ones) = (ivy::arange(3, Dtype::FLOAT32)?, ivy::ones(3, Dtype::FLOAT32)?);
        let counters = ivy::zeros(3, Dtype::INT32)?;
        let on = || bools(&[true, false, true]);
        let column = |i: &Array| ivy::reshape(i, [3, 1], ());
        let flat = || ScatterFlat::new().out(&line);
        let nd = || ScatterNd::new().out(&line);
        let set = |x: &Array, i: &Array| -> Result<Array> {
            let mut x = x.clone();
            x.set(ivy::s![i], 0)?;
            Ok(x)
        };
        let same = |x: &Array| Ok(x.clone());
        let calls: &[Call<'_>] = &[
            ("take", &|i| ivy::take(&line, i, ())),
            ("take_along_axis", &|i| ivy::take_along_axis(&line, i, ())),
            ("gather", &|i| ivy::gather(&line, i, ())),
            ("gather", &|i| ivy::gather(&x, column(i)?, Gather::new().axis(0))),
            ("gather", &|i| ivy::gather(&x, column(i)?, Gather::new().batch_dims(1usize))),
            ("gather", &|i| ivy::gather(&line, i, Gather::new().mask(on()))),
            ("gather_nd", &|i| ivy::gather_nd(&x, column(i)?, ())),
            ("gather_nd", &|i| ivy::gather_nd(&x, column(i)?, GatherNd::new().mask(on()))),
            ("get_item", &|i| line.get(ivy::s![i])),
            ("get_item", &|i| x.get(ivy::s![.., i])),
            ("set_item", &|i| set(&line, i)),
            ("scatter_flat", &|i| ivy::scatter_flat(i, &ones, flat())),
            ("scatter_flat", &|i| ivy::scatter_flat(i, &ones, flat().mask(on()))),
            ("scatter_nd", &|i| ivy::scatter_nd(column(i)?, &ones, nd())),
            ("scatter_nd", &|i| ivy::scatter_nd(column(i)?, &ones, nd().mask(on()))),
            ("scatter_inc", &|i| Ok(ivy::scatter_inc(&counters, i, ())?.old)),
            ("scatter_inc", &|i| Ok(ivy::scatter_inc(&counters, i, ScatterInc::new().mask(on()))?.old)),
            ("scatter_exch", &|i| Ok(ivy::scatter_exch(&line, &ones, i, ())?.target)),
            ("scatter_exch", &|i| Ok(ivy::scatter_exch(&line, &ones, i, ScatterExch::new().mask(on()))?.old)),
            ("scatter_cas", &|i| Ok(ivy::scatter_cas(&line, 0, &ones, i, ())?.old)),
            ("scatter_cas", &|i| Ok(ivy::scatter_cas(&line, 0, &ones, i, ScatterCas::new().mask(on()))?.old)),
            ("searchsorted", &|i| ivy::searchsorted(&line, &line, ivy::SearchSorted::new().sorter(i))),
            ("switch", &|i| ivy::switch(i, &[&same, &same, &same], line.clone())),
        ];
        for (name, call) in calls {
            // Evaluated before the error is told, or while it is.
            for pending in [false, true] {
                let index = ints(&[0, 0, -9]);
                let index = if pending { ivy::subtract(ivy::abs(&index)?, 18)? } else { index };
                let error = call(&index).and_then(|done| done.to_host()).unwrap_err();
                let text = error.to_string();
                assert!(matches!(error.kind(), ErrorKind::IndexOutOfRange { .. }), "{name}: {text}");
                assert!(text.starts_with(&format!("{name}: index ")), "{name}: {text}");
            }
        }
        Ok(())
    });
}

/// Of work that waits, an error is that of the function which it is of: not of the one that asks for it.
#[test]
fn errors_of_what_is_pending_keep_their_names() {
    everywhere(|| {
        let (x, far) = (ivy::arange(3, Dtype::FLOAT32)?, ints(&[0, 7, 1]));
        let first = |line: &Array| ivy::scatter_flat(ints(&[0, 1, 2]), line, ScatterFlat::new().size(3usize));
        let done = ivy::take(&x, &far, ()).and_then(|line| first(&line)).and_then(|x| x.to_host());
        let text = done.unwrap_err().to_string();
        assert!(text.starts_with("take: index 7"), "{text}");
        let done = ivy::gather(&x, &far, ()).and_then(|line| ivy::take(line, ints(&[2, 0]), ()));
        let text = done.and_then(|x| x.to_host()).unwrap_err().to_string();
        assert!(text.starts_with("gather: index 7"), "{text}");
        Ok(())
    });
}
