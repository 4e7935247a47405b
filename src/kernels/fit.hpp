// Fitting factors to a matrix X: half the squared distance and its gradient.
//
// X̂ comes column by column, as chains do: a panel of unit vectors walks through the factors, X's columns are
// subtracted, and the difference walks back. X is dense, or given by its columns' entries; the scale of a problem is in
// X.
#pragma once

#include "fit_group.hpp"
#include "panel.hpp"

namespace chord::CHORD_KERNELS {

/// out = the columns [first, first + count) of W, or of Wᵀ: a factor applied to unit vectors.
template <class T>
CHORD_INLINE void unit_panel(bool transposed, Range columns, std::size_t width, const Links& links, const T* w,
                             View<T> out) {
  const std::size_t n = links.n;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < width; ++c) out.row(i)[c] = 0;
  for (std::size_t at = columns.first; at < columns.last; ++at)
    for (int k = 0; k < links.count; ++k) {
      const std::size_t row =
          transposed ? neighbour<false>(at, links.offsets[k], n) : neighbour<true>(at, links.offsets[k], n);
      out.row(row)[at - columns.first] += w[(transposed ? at : row) * links.count + k];
    }
}

/// dw += the gradient of ⟨g, unit_panel(w)⟩
template <class T>
CHORD_INLINE void unit_panel_gradient(bool transposed, Range columns, const Links& links, View<const T> g, T* dw) {
  const std::size_t n = links.n;
  for (std::size_t at = columns.first; at < columns.last; ++at)
    for (int k = 0; k < links.count; ++k) {
      const std::size_t row =
          transposed ? neighbour<false>(at, links.offsets[k], n) : neighbour<true>(at, links.offsets[k], n);
      dw[(transposed ? at : row) * links.count + k] += g.row(row)[at - columns.first];
    }
}

/// values −= some of X's columns, and 0 below its last row
template <class T>
CHORD_INLINE void subtract_columns(const Columns<T>& x, std::size_t n, Range columns, View<T> values) {
  const std::size_t count = columns.last - columns.first;
  if (x.dense) {
    for (std::size_t i = 0; i < n; ++i) {
      const T* source = x.dense + i * n + columns.first;
      T* target = values.row(i);
      for (std::size_t c = 0; c < count; ++c) target[c] -= source[c];
    }
  } else {
    for (std::size_t c = 0; c < count; ++c)
      for (std::int64_t e = x.starts[columns.first + c]; e < x.starts[columns.first + c + 1]; ++e)
        values.row(x.rows[e])[c] -= x.entries[e];
  }
  for (std::size_t i = x.height; i < n; ++i)
    for (std::size_t c = 0; c < count; ++c) values.row(i)[c] = 0;
}

/// The sum of the squares of a panel, each row's in T, all rows' in double.
template <class T>
CHORD_INLINE double panel_squares(std::size_t n, std::size_t width, View<const T> values) {
  constexpr int Width = cpu_lanes<T>;
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    vector<T, Width> squares = {};
    for (std::size_t c = 0; c < width; c += Width) {
      const vector<T, Width> value = load<Width>(values.row(i) + c);
      squares += value * value;
    }
    for (int b = 0; b < Width; ++b) sum += squares[b];
  }
  return sum;
}

/// Steps on a panel that begins with unit vectors.
template <class T>
struct UnitPanelSteps : PanelSteps<T> {
  Range columns;

  CHORD_INLINE void product(int term, int step, Step which, View<const T> in, View<T> out, View<const T> add) const {
    if (in)
      PanelSteps<T>::product(term, step, which, in, out, add);
    else
      unit_panel(which.transposed, columns, this->width, this->links, this->w.factor(which.factor).data, out);
  }
  CHORD_INLINE void gradient_weights(int term, int step, Step which, View<const T> adjoint, View<const T> in) const {
    if (in)
      PanelSteps<T>::gradient_weights(term, step, which, adjoint, in);
    else
      unit_panel_gradient(which.transposed, columns, this->links, adjoint, this->dw.factor(which.factor).data);
  }
};

/// For the panels a worker takes in turn, squares[set, worker] = Σ(X̂ − X)² and dw[set, worker] = the gradient of half
/// of it, with respect to all factors. Panels past X's last column are filled up with zeros.
struct fit_panels {
  using types = Reals;
  template <class T>
  using cpu = Scalar;
  template <class T>
  using gpu = Group;

  template <class T>
  struct Arguments {
    const T* w;
    Sets sets;
    Columns<T> x;
    T* dw;
    double* squares;
    T* scratch;  ///< per worker of each set FitPlaces::scratch_panels(…) · n · panel values
    Links links;
    std::int64_t factors, panel, workers;  ///< panel: a multiple of the vector's width, or of a GPU's lane's
    std::int32_t form;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.sets.count), std::size_t(a.workers)};
  }
  template <class T, class Shape>
  static std::size_t groups(const Arguments<T>& a, int) {
    return std::size_t(a.sets.count * a.workers);
  }
  template <class T, class Shape>
  static std::size_t local_bytes(const Arguments<T>& a, int) {
    return local_bytes_of<T>(a.links.n, a.panel);
  }
  template <class T>
  static std::size_t local_bytes_of(std::int64_t n, std::int64_t panel) {
    return local_size<double>(residual_sums(std::size_t(n), std::size_t(panel) / Lane<T>::width));
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const Walk walk{int(a.factors), a.form, false};
    const double n = double(a.links.n), weights = double(a.factors) * n * double(a.links.count);
    // Forward, and for each step back a product and the weights' gradient; the first step is of unit vectors.
    return {
        6 * double(a.sets.count * walk.terms() * (walk.steps() - 1)) * n * double(a.x.width) * double(a.links.count),
        (2 * double(a.sets.count) * weights + (a.x.dense ? n * n : 0)) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t set, std::size_t worker, std::size_t, const Arguments<T>& a) {
    if (!a.sets.has(set)) return;
    constexpr int Width = cpu_lanes<T>;
    const Walk walk{int(a.factors), a.form, false};
    const std::size_t n = a.links.n, factor = n * a.links.count, parameters = a.factors * factor,
                      place = set * a.workers + worker;
    FitPlaces<T, UnitPanelSteps<T>> steps{};
    steps.links = a.links;
    steps.w = {a.w + set * parameters, std::int64_t(factor), 0, a.links.count};
    steps.dw = {a.dw + place * parameters, std::int64_t(factor), 0, a.links.count};
    steps.accumulate_dw = true;
    steps.scratch = {a.scratch + place * steps.scratch_panels(walk) * n * a.panel, std::int64_t(n) * a.panel, 0,
                     a.panel};
    steps.terms = walk.terms();
    steps.steps = walk.steps();
    for (std::size_t i = 0; i < parameters; ++i) steps.dw.data[i] = 0;
    const View<T> difference = steps.output(0, walk.steps() - 1);
    const T share = walk.terms() == 2 ? T(0.5) : T(1);
    double sum = 0;
    for (std::size_t task = worker; task < divide_up(a.x.width, a.panel); task += a.workers) {
      steps.columns = piece_of(task, a.panel, a.x.width);
      steps.width = divide_up(steps.columns.last - steps.columns.first, Width) * Width;
      walk_forward(walk, walk.steps(), steps);
      if (walk.terms() == 2) scaled_sum<T>(n, steps.width, share, difference, steps.output(1, walk.steps() - 1));
      subtract_columns(a.x, n, steps.columns, difference);
      sum += panel_squares<T>(n, steps.width, difference);
      if (walk.terms() == 2)
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t c = 0; c < steps.width; ++c) difference.row(i)[c] *= share;
      walk_back(walk, Wanted{true, false, false}, steps);
    }
    a.squares[place] = sum;
  }

  template <class T, class Shape, class Group>
  CHORD_INLINE static void run_group(Group& group, const Arguments<T>& a) {
    const Walk walk{int(a.factors), a.form, false};
    const std::size_t n = a.links.n, factor = n * a.links.count, parameters = a.factors * factor, place = group.index(),
                      set = std::uint32_t(place) / std::uint32_t(a.workers), worker = place - set * a.workers;
    if (!a.sets.has(set)) return;
    double* sums = group.template local<double>(residual_sums(n, std::size_t(a.panel) / Lane<T>::width));
    FitPlaces<T, GroupPanelSteps<T, Group>> steps{};
    steps.group = &group;
    steps.links = a.links;
    steps.w = {a.w + set * parameters, std::int64_t(factor), 0, a.links.count};
    steps.dw = {a.dw + place * parameters, std::int64_t(factor), 0, a.links.count};
    steps.scratch = {a.scratch + place * steps.scratch_panels(walk) * n * a.panel, std::int64_t(n) * a.panel, 0,
                     a.panel};
    steps.unit = steps.scratch;
    steps.terms = walk.terms();
    steps.steps = walk.steps();
    steps.semidefinite = walk.form == form_semidefinite;
    steps.width = int(a.panel);
    const int last = walk.steps() - 1;
    double sum = 0;
    for (std::size_t first = worker * a.panel; first < std::size_t(a.x.width); first += a.workers * a.panel) {
      steps.first = first;
      walk_forward(walk, walk.steps(), steps);
      const bool two = walk.terms() == 2;
      sum += panel_residual<T, Group>(steps, a.x, steps.output(0, last), two, steps.output(two ? 1 : 0, last),
                                      two ? T(0.5) : T(1), sums);
      walk_back(walk, Wanted{true, false, false}, steps);
      steps.later = true;
    }
    group.each([&](int lane) {
      if (lane == 0) a.squares[place] = sum;
      if (!steps.later)  // there are fewer panels than groups
        for (std::size_t i = std::size_t(lane); i < parameters; i += std::size_t(group.lanes())) steps.dw.data[i] = 0;
    });
  }
};

/// For devices that take one step a launch: values = share·(values + others) − X in a column of a panel that begins
/// with X's column `first`; squares[its number in X] = Σ of its squares. The values are left multiplied by share once
/// more, as the way back wants them.
struct fit_residual : Everywhere {
  template <class T>
  struct Arguments {
    T* values;
    const T* others;  ///< null, or the second term; share is then ½
    Columns<T> x;
    double* squares;
    std::int64_t n, first, columns, panel;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, std::size_t(a.columns)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double values = double(a.n) * double(a.columns);
    return {(a.others ? 6 : 3) * values, (a.others ? 4 : 3) * values * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t column, std::size_t, const Arguments<T>& a) {
    const std::size_t rows = a.n, panel = a.panel, number = a.first + column;
    const T share = a.others ? T(0.5) : T(1);
    T* mine = a.values + column;
    if (a.others)
      for (std::size_t i = 0; i < rows; ++i) mine[i * panel] = share * (mine[i * panel] + a.others[i * panel + column]);
    subtract_columns(a.x, rows, {number, number + 1}, View<T>{mine, 0, 0, a.panel});
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      sum += double(mine[i * panel]) * double(mine[i * panel]);
      mine[i * panel] *= share;
    }
    a.squares[number] = sum;
  }
};

// Weights that obey a constraint, as functions of parameters that are free. Squares reach every weight ≥ 0, smoothly
// and without transcendental functions; a row of squares divided by its sum, every distribution.
inline constexpr std::int32_t weights_free = 0, weights_squares = 1, weights_distributions = 2;

/// Rows of parameters: as many as are worth a thread on a CPU. A GPU's thread takes one, or a single parameter where
/// rows do not matter.
struct RowsOfParameters {
  using types = Reals;
  template <class T>
  using cpu = Tile<512, 0>;
  template <class T>
  using gpu = Tile<1, 0>;

  template <class Shape>
  CHORD_INLINE static Grid grid_of(std::int64_t rows, std::int64_t links, std::int32_t kind) {
    if (Shape::rows == 1 && kind != weights_distributions) return {1, std::size_t(rows * links)};
    return {1, divide_up(rows, Shape::rows)};
  }
};

/// The weights of some rows of the factors, from their parameters.
struct fit_weights : RowsOfParameters {
  template <class T>
  struct Arguments {
    const T* parameters;
    T* w;
    std::int64_t rows, links;
    std::int32_t kind;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return grid_of<Shape>(a.rows, a.links, a.kind);
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double values = double(a.rows * a.links);
    return {2 * values, 2 * values * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t tile, std::size_t, const Arguments<T>& a) {
    if (Shape::rows == 1 && a.kind != weights_distributions) {
      a.w[tile] = a.parameters[tile] * a.parameters[tile];
      return;
    }
    const Range rows = piece_of(tile, Shape::rows, a.rows);
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const T* theta = a.parameters + row * a.links;
      T sum = a.kind == weights_distributions ? T(0) : T(1);
      if (a.kind == weights_distributions)
        for (int k = 0; k < a.links; ++k) sum += theta[k] * theta[k];
      for (int k = 0; k < a.links; ++k) a.w[row * a.links + k] = theta[k] * theta[k] / sum;
    }
  }
};

/// The gradient with respect to the parameters of some rows of a set, from its workers' partial gradients with respect
/// to the weights, summed in order.
struct fit_gradient : RowsOfParameters {
  template <class T>
  struct Arguments {
    const T* partial;
    Sets sets;
    const T *parameters, *w;
    T* gradient;
    std::int64_t partials, rows, links;
    std::int32_t kind;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    Grid all = grid_of<Shape>(a.rows, a.links, a.kind);
    all.sequences = std::size_t(a.sets.count);
    return all;
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double values = double(a.sets.count * a.rows * a.links);
    return {double(a.partials) * values, double(a.partials + (a.kind == weights_free ? 1 : 3)) * values * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t set, std::size_t tile, std::size_t, const Arguments<T>& a) {
    if (!a.sets.has(set)) return;
    const std::size_t links = a.links, all = a.rows * links, first = set * all;
    const T *partial = a.partial + first * std::size_t(a.partials), *parameters = a.parameters + first;
    T* gradient = a.gradient + first;
    if (Shape::rows == 1 && a.kind != weights_distributions) {
      T sum = partial[tile];
      for (std::int64_t p = 1; p < a.partials; ++p) sum += partial[p * all + tile];
      gradient[tile] = a.kind == weights_free ? sum : 2 * parameters[tile] * sum;
      return;
    }
    const Range rows = piece_of(tile, Shape::rows, a.rows);
    for (std::size_t i = rows.first * links; i < rows.last * links; ++i) {
      T sum = partial[i];
      for (std::int64_t p = 1; p < a.partials; ++p) sum += partial[p * all + i];
      gradient[i] = sum;
    }
    if (a.kind == weights_free) return;
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const T *theta = parameters + row * links, *weights = a.w + first + row * links;
      T* mine = gradient + row * links;
      T total = a.kind == weights_distributions ? T(0) : T(1), mean = 0;
      if (a.kind == weights_distributions)
        for (std::size_t k = 0; k < links; ++k) {
          total += theta[k] * theta[k];
          mean += weights[k] * mine[k];
        }
      for (std::size_t k = 0; k < links; ++k) mine[k] = 2 * theta[k] * (mine[k] - mean) / total;
    }
  }
};

}  // namespace chord::CHORD_KERNELS
