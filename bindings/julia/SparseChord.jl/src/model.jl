# Networks, and the sequences they learn from.

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
    call(place) = LibChord.chord_model_create(context.handle, described, seed, place)
    Model(made(Ptr{LibChord.chord_model}, call), context)
end

"The model of a file."
function load_model(path::AbstractString; context=default_context())
    call(place) = LibChord.chord_model_load(context.handle, path, C_NULL, place)
    Model(made(Ptr{LibChord.chord_model}, call), context)
end

save(model::Model, path::AbstractString; optimizer=false) =
    check(LibChord.chord_model_save(model.handle, path, optimizer, C_NULL))

info(model::Model) = filled(LibChord.chord_model_info, place -> LibChord.chord_model_get_info(model.handle, place))

tensor(values::Tensor, ::Context) = values
tensor(values::Array, context::Context) = Tensor(values, context)

"The outputs, (classes, B)."
function forward(model::Model, inputs)
    about, given = info(model), tensor(inputs, model.context)
    outputs = Tensor{ELEMENTS[about.output_type]}(undef, (Int(about.classes), last(given.size)), model.context)
    check(LibChord.chord_model_forward(model.handle, given.handle, outputs.handle))
    Array(outputs)
end

"Loss and correct answers of a batch."
evaluate(model::Model, inputs, labels) = filled(LibChord.chord_step_result, function (place)
    x, y = tensor(inputs, model.context), tensor(labels, model.context)
    GC.@preserve x y LibChord.chord_model_evaluate(model.handle, x.handle, y.handle, place)
end)

"One step of the optimiser: `learning_rate`, `weight_decay`, `clip_norm`, … of `LibChord.chord_train_options`."
train_step!(model::Model, inputs, labels; options...) = filled(LibChord.chord_step_result, function (place)
    x, y = tensor(inputs, model.context), tensor(labels, model.context)
    given = Ref(LibChord.chord_train_options(; options...))
    GC.@preserve x y LibChord.chord_model_train_step(model.handle, x.handle, y.handle, given, place)
end)

"All parameters as one vector, in the order of the library."
function parameters(model::Model)
    call(place) = LibChord.chord_model_get_parameters(model.handle, place)
    Array(Tensor(made(TensorPointer, call), model.context))
end

Base.show(io::IO, model::Model) = print(io, "Model of ", info(model).parameters, " parameters, step ", info(model).step)

"""
    Dataset(task, split="train"; length=0, count=0, seed=0)

Labelled sequences of a task. `for (inputs, labels) in batches(data, 40; shuffle=true)` goes through them; inputs are
(length, batch) tokens or (features, length, batch) reals.
"""
mutable struct Dataset <: Handle
    handle::Ptr{LibChord.chord_dataset}
    Dataset(handle::Ptr) = own(new(handle))
end
destroyer(::Dataset) = LibChord.chord_dataset_destroy

function Dataset(task::AbstractString, split::AbstractString="train"; data=nothing, options...)
    texts = (task=String(task), split=String(split), data=data === nothing ? "" : String(data))
    GC.@preserve texts begin
        folder = data === nothing ? Ptr{UInt8}(C_NULL) : pointer(texts.data)
        given = Ref(LibChord.chord_dataset_options(; task=pointer(texts.task), split=pointer(texts.split), data=folder,
                                                   options...))
        return Dataset(made(Ptr{LibChord.chord_dataset}, place -> LibChord.chord_dataset_create(given, place)))
    end
end

info(data::Dataset) =
    filled(LibChord.chord_dataset_info, place -> LibChord.chord_dataset_get_info(data.handle, place))
Base.length(data::Dataset) = Int(info(data).count)
Base.show(io::IO, data::Dataset) = print(io, "Dataset of ", length(data), " sequences")

mutable struct Batches <: Handle
    handle::Ptr{LibChord.chord_batches}
    about::LibChord.chord_dataset_info
    Batches(handle::Ptr, about) = own(new(handle, about))
end
destroyer(::Batches) = LibChord.chord_batches_destroy

"One pass over a dataset, batch by batch, prepared ahead by a thread of the library's; each batch is yours to keep."
function batches(data::Dataset, batch::Integer; shuffle=false, options...)
    given = Ref(LibChord.chord_batches_options(; batch=batch, shuffle=shuffle, options...))
    call(place) = LibChord.chord_batches_create(data.handle, given, place)
    Batches(made(Ptr{LibChord.chord_batches}, call), info(data))
end

Base.IteratorSize(::Type{Batches}) = Base.SizeUnknown()
function Base.iterate(pass::Batches, state=nothing)
    inputs, labels, count = Ref(C_NULL), Ref(C_NULL), Ref{Int64}(0)
    check(LibChord.chord_batches_next(pass.handle, inputs, labels, count))
    count[] == 0 && return nothing
    about, number = pass.about, Int(count[])
    size = about.features == 0 ? (Int(about.length), number) : (Int(about.features), Int(about.length), number)
    x = copy(unsafe_wrap(Array, Ptr{ELEMENTS[about.input_type]}(inputs[]), size))
    y = copy(unsafe_wrap(Array, Ptr{ELEMENTS[about.label_type]}(labels[]), (number,)))
    ((x, y), nothing)
end
