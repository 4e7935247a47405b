# Networks.

json(value::AbstractString) = "\"" * escape_string(value) * "\""
json(value::Symbol) = json(String(value))
json(value) = string(value)

"""
    Model(preset; seed=0, keys...)
    Model(; seed=0, keys...)

A network with Chord attention, e.g. `Model("adding"; length=128)`; the keys are those of `LibChord.chord_model_key_get_info`.
"""
mutable struct Model <: Handle
    handle::Ptr{LibChord.chord_model}
    context::Context
    Model(handle::Ptr, context::Context) = own(new(handle, context))
end
destroyer(::Model) = LibChord.chord_model_destroy

function Model(preset::Union{AbstractString,Nothing}=nothing; seed=0, context=default_context(), keys...)
    pairs = ["$(json(key)): $(json(value))" for (key, value) in keys]
    preset === nothing || pushfirst!(pairs, "\"preset\": $(json(preset))")
    described = "{" * join(pairs, ", ") * "}"
    call(place) = LibChord.chord_model_create(context, described, seed, place)
    Model(made(Ptr{LibChord.chord_model}, call), context)
end

"The model of a file, which `save` wrote or PyTorch."
function load_model(path::AbstractString; context=default_context())
    call(place) = LibChord.chord_model_load(context, path, C_NULL, place)
    Model(made(Ptr{LibChord.chord_model}, call), context)
end

save(model::Model, path::AbstractString; optimizer=false) =
    check(LibChord.chord_model_save(model, path, optimizer, C_NULL))

info(model::Model) = filled(LibChord.chord_model_info, place -> LibChord.chord_model_get_info(model, place))

tensor(values::Tensor, ::Context) = values
tensor(values::Array, context::Context) = Tensor(values, context)

"""
Options for a call, those of `LibChord.chord_train_options`. Of these, `lengths` is an array of Int32: how many positions
of each sequence count, where sequences are shorter than the model; the inputs may hold anything behind them.
"""
function with_options(call, model::Model; lengths=nothing, options...)
    lengths === nothing && return call(Ref(LibChord.chord_train_options(; options...)))
    short = tensor(lengths, model.context)
    GC.@preserve short call(Ref(LibChord.chord_train_options(; lengths=short.handle, options...)))
end

"The outputs, (classes, B); options: `lengths`, `micro_batch`, `memory`, `dropout`."
function forward(model::Model, inputs; options...)
    about, given = info(model), tensor(inputs, model.context)
    outputs = Tensor{ELEMENTS[about.output_type]}(undef, (Int(about.classes), last(given.size)), model.context)
    with_options(model; options...) do chosen
        check(LibChord.chord_model_forward_with(model, given, chosen, outputs))
    end
    Array(outputs)
end

"Loss and correct answers of a batch; options: `lengths`, `micro_batch`, `memory`."
evaluate(model::Model, inputs, labels; options...) = filled(LibChord.chord_step_result, function (place)
    x, y = tensor(inputs, model.context), tensor(labels, model.context)
    with_options(given -> LibChord.chord_model_evaluate_with(model, x, y, given, place), model; options...)
end)

"One step of the optimiser: `learning_rate`, `weight_decay`, `clip_norm`, … of `LibChord.chord_train_options`."
train_step!(model::Model, inputs, labels; options...) = filled(LibChord.chord_step_result, function (place)
    x, y = tensor(inputs, model.context), tensor(labels, model.context)
    with_options(given -> LibChord.chord_model_train_step(model, x, y, given, place), model; options...)
end)

"All parameters as one vector, in the order of the library."
function parameters(model::Model)
    call(place) = LibChord.chord_model_get_parameters(model, place)
    Array(Tensor(made(TensorPointer, call), model.context))
end

"A look at a parameter by its name; `copyto!` changes it."
parameter(model::Model, name::AbstractString) =
    Tensor(made(TensorPointer, place -> LibChord.chord_model_parameter(model, name, place)), model.context)

"Which positions these rows attend to, (N, rows, B)."
function attention(model::Model, inputs, places; block=1, lengths=nothing)
    about, given, wanted = info(model), tensor(inputs, model.context), Vector{Int64}(collect(places) .- 1)
    size = (Int(about.length), length(wanted), last(given.size))
    out = Tensor{ELEMENTS[about.output_type]}(undef, size, model.context)
    with_options(model; lengths=lengths) do chosen
        check(LibChord.chord_model_attention_with(model, given, block - 1, wanted, length(wanted), chosen, out))
    end
    Array(out)
end

Base.show(io::IO, model::Model) = print(io, "Model of ", info(model).parameters, " parameters, step ", info(model).step)

# A loss of one's own, or a batch that several processes share, goes by gradients.

"Leaves the gradients of a batch's mean loss for `apply_gradients!`; options are those of `LibChord.chord_train_options`."
gradients!(model::Model, inputs, labels; options...) = filled(LibChord.chord_step_result, function (place)
    x, y = tensor(inputs, model.context), tensor(labels, model.context)
    with_options(given -> LibChord.chord_model_gradients(model, x, y, given, place), model; options...)
end)

"""
    backward!(model, inputs, doutputs; options...)

For losses of one's own: leaves the parameters' gradients of ⟨doutputs, forward(model, inputs)⟩, and gives those of inputs
that are reals; of tokens, `nothing`.
"""
function backward!(model::Model, inputs, doutputs; options...)
    x, upstream = tensor(inputs, model.context), tensor(doutputs, model.context)
    dx = eltype(x) <: AbstractFloat ? Tensor{eltype(x)}(undef, x.size, model.context) : nothing
    with_options(model; options...) do given
        check(LibChord.chord_model_backward(model, x, upstream, something(dx, C_NULL), given))
    end
    dx === nothing ? nothing : Array(dx)
end

"One step of the optimiser with the gradients that are there, whoever computed them."
apply_gradients!(model::Model; options...) =
    check(LibChord.chord_model_apply_gradients(model, Ref(LibChord.chord_train_options(; options...))))

"All gradients as one tensor, in the order of the parameters; in place, so that `copyto!` changes them."
gradients(model::Model) =
    Tensor(made(TensorPointer, place -> LibChord.chord_model_get_gradients(model, place)), model.context)

"The names of the parameters, which are those of the paper's PyTorch code."
function parameter_names(model::Model)
    count = made(Int64, place -> LibChord.chord_model_parameter_count(model, place))
    [unsafe_string(made(Ptr{UInt8}, place -> LibChord.chord_model_parameter_name(model, i - 1, place)))
     for i in 1:count]
end
