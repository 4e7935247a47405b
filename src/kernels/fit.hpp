// Fitting factors to a matrix X: half the squared distance and its gradient.
//
// X̂ comes column by column: a panel of unit vectors walks through the factors, X's columns are subtracted, and the
// difference walks back. X is dense, or given by its columns' entries; the scale of a problem is in
// X.
#pragma once

#include "column_steps.hpp"
#include "fit_group.hpp"
#include "team_sums.hpp"

namespace chord::CHORD_KERNELS {

/// The difference of columns from X, 0 below its last row; the sum of its squares; and what is left multiplied by
/// `share`, as the way back wants it. `two`: they are a sum of two, times share. `turned`: memory for as many columns.
template <class T>
CHORD_INLINE double column_residual(const Columns<T>& x, std::size_t n, Range columns, View<T> values,
                                    View<const T> others, T share, View<T> turned) {
  constexpr int Width = native_lanes<T>;
  const std::size_t count = columns.last - columns.first, height = std::size_t(x.height),
                    whole = height - height % Width;
  if (x.dense)
    turn<T, turned_at_once<T>>(x.dense + columns.first, std::int64_t(n), int(n), int(count), turned.data,
                               turned.row_stride, false);
  double sum = 0;
  for (std::size_t c = 0; c < count; ++c) {
    T *value = values.row(c), *taken = turned.row(c);
    if (!x.dense) {
      for (std::size_t i = 0; i < n; ++i) taken[i] = 0;
      for (std::int64_t e = x.starts[columns.first + c]; e < x.starts[columns.first + c + 1]; ++e)
        taken[x.rows[e]] += x.entries[e];
    }
    const T* other = others ? others.row(c) : nullptr;
    const auto left = [&](std::size_t i, auto width) CHORD_INLINED {
      constexpr int Some = decltype(width)::value;
      vector<T, Some> each = load<Some>(value + i);
      if (other) each = share * (each + load<Some>(other + i));
      each -= load<Some>(taken + i);
      store<Some>(value + i, share * each);
      return each * each;
    };
    vector<T, Width> squares = {};
    for (std::size_t i = 0; i < whole; i += Width) squares += left(i, Number<Width>());
    for (int b = 0; b < Width; ++b) sum += squares[b];
    for (std::size_t i = whole; i < height; ++i) sum += left(i, Number<1>())[0];
    for (std::size_t i = height; i < n; ++i) value[i] = 0;
  }
  close_columns(n, count, values.row_stride, values.data);
  return sum;
}

/// Columns of X, cut into pieces of about as many, of which some are somebody's: those from `first` on.
struct Pieces {
  std::int64_t count = 0, first = 0;
};

/// Where a worker's panels of columns begin: every so many, up to the last column.
struct PanelTurns {
  std::size_t first, last, step;

  /// Workers take panels in turn, or each has a piece of the columns for itself.
  CHORD_INLINE PanelTurns(const Pieces& pieces, std::size_t worker, std::size_t workers, std::size_t panel,
                          std::size_t columns)
      : first(worker * panel), last(columns), step(workers * panel) {
    if (pieces.count == 0) return;
    // In 32 bits, which GPUs divide in: pieces of more columns together have no memory for a worker each.
    const std::uint32_t piece = std::uint32_t(pieces.first) + std::uint32_t(worker), all = std::uint32_t(columns),
                        count = std::uint32_t(pieces.count);
    first = all * piece / count;
    last = all * (piece + 1) / count;
    step = panel;
  }

  CHORD_INLINE Range panel_at(std::size_t begin, std::size_t panel) const {
    return {begin, begin + panel < last ? begin + panel : last};
  }
};

/// For the panels of a worker, squares[set, worker] = Σ(X̂ − X)² and dw[set, worker] = the gradient of half of it, with
/// respect to all factors. A GPU's panel past a worker's last column is filled up with zeros.
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
    T* scratch;  ///< per worker of each set cpu_scratch(…) or gpu_scratch(…) values
    Links links;
    std::int64_t factors, panel, workers;  ///< panel: for GPUs a multiple of a lane's width
    std::int32_t form;
    Pieces pieces;  ///< the workers', one each; none: they take panels in turn

    CHORD_INLINE PanelTurns turns_of(std::size_t worker) const {
      return {pieces, worker, std::size_t(workers), std::size_t(panel), std::size_t(x.width)};
    }
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
  static std::size_t local_bytes(const Arguments<T>& a, int lanes) {
    return local_bytes_of<T>(a.links, a.panel, lanes);
  }
  /// For the steps, or for sums of squares between them.
  template <class T>
  CHORD_INLINE static std::size_t local_bytes_of(const Links& links, std::int64_t panel, int lanes) {
    const std::size_t steps = GroupPanelSteps<T, void>::local_bytes(links, lanes),
                      squares =
                          local_size<double>(residual_sums(std::size_t(links.n), std::size_t(panel) / Lane<T>::width));
    return steps > squares ? steps : squares;
  }

  /// Values of scratch that a worker, or a GPU's group, has.
  template <class T>
  CHORD_INLINE static std::int64_t cpu_scratch(const Walk& walk, const Links& links, std::int64_t panel) {
    return scratch_panels(walk) * column_stride<T>(links.n) * panel + ColumnSteps<T>::memory(walk, links);
  }
  CHORD_INLINE static std::int64_t gpu_scratch(const Walk& walk, const Links& links, std::int64_t panel) {
    return scratch_panels(walk) * links.n * panel;
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
    const Walk walk{int(a.factors), a.form, false};
    const std::size_t n = a.links.n, parameters = a.factors * n * a.links.count, place = set * a.workers + worker;
    const std::int64_t stride = column_stride<T>(a.links.n);
    T* memory = a.scratch + std::int64_t(place) * cpu_scratch<T>(walk, a.links, a.panel);
    FitPlaces<T, ColumnSteps<T>> steps{};
    steps.links = a.links;
    steps.use_memory(walk, memory);
    steps.scratch = {memory + steps.memory(walk, a.links), stride * a.panel, 0, stride};
    steps.terms = walk.terms();
    steps.steps = walk.steps();
    steps.begin(walk, a.w + set * parameters);
    const int last = walk.steps() - 1;
    const bool two = walk.terms() == 2;
    double sum = 0;
    const PanelTurns turns = a.turns_of(worker);
    for (std::size_t first = turns.first; first < turns.last; first += turns.step) {
      steps.columns = turns.panel_at(first, std::size_t(a.panel));
      walk_forward(walk, walk.steps(), steps);
      sum += column_residual<T>(a.x, n, steps.columns, steps.output(0, last),
                                two ? View<const T>(steps.output(1, last)) : View<const T>(), two ? T(0.5) : T(1),
                                steps.adjoint_output(0, last));
      walk_back(walk, Wanted{true, false, false}, steps);
    }
    steps.end(walk, a.dw + place * parameters);
    a.squares[place] = sum;
  }

  template <class T, class Shape, class Group>
  CHORD_INLINE static void run_group(Group& group, const Arguments<T>& a) {
    const Walk walk{int(a.factors), a.form, false};
    const std::size_t n = a.links.n, factor = n * a.links.count, parameters = a.factors * factor, place = group.index(),
                      set = std::uint32_t(place) / std::uint32_t(a.workers), worker = place - set * a.workers;
    if (!a.sets.has(set)) return;
    auto* local =
        group.template local<LocalLine>(local_bytes_of<T>(a.links, a.panel, group.lanes()) / sizeof(LocalLine));
    auto* sums = reinterpret_cast<double*>(local);
    FitPlaces<T, GroupPanelSteps<T, Group>> steps{};
    steps.group = &group;
    steps.local = reinterpret_cast<T*>(local);
    steps.links = a.links;
    steps.w = {a.w + set * parameters, std::int64_t(factor), 0, a.links.count};
    steps.dw = {a.dw + place * parameters, std::int64_t(factor), 0, a.links.count};
    steps.scratch = {a.scratch + std::int64_t(place) * gpu_scratch(walk, a.links, a.panel), std::int64_t(n) * a.panel,
                     0, a.panel};
    steps.unit = steps.scratch;
    steps.terms = walk.terms();
    steps.steps = walk.steps();
    steps.semidefinite = walk.form == form_semidefinite;
    steps.width = int(a.panel);
    const int last = walk.steps() - 1;
    double sum = 0;
    const PanelTurns turns = a.turns_of(worker);
    for (std::size_t first = turns.first; first < turns.last; first += turns.step) {
      steps.first = first;
      walk_forward(walk, walk.steps(), steps);
      const bool two = walk.terms() == 2;
      sum += panel_residual<T, Group>(steps, a.x, turns.last, steps.output(0, last), two,
                                      steps.output(two ? 1 : 0, last), two ? T(0.5) : T(1), sums);
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

/// For devices that take one step a launch: values = share·(values + others) − X in the columns of a panel that begins
/// with X's column `first`; squares[tile] = Σ of the squares in a tile of them. The values are left multiplied by share
/// once more, as the way back wants them.
struct fit_residual {
  using types = Reals;
  template <class T>
  using cpu = Scalar;
  template <class T>
  using gpu = Group;

  /// Of a tile; tiles lie one below the other, those of the next columns behind.
  static constexpr int tile_columns = 8, tile_rows = 512;
  static std::int64_t tiles(std::int64_t n, std::int64_t columns) {
    return std::int64_t(divide_up(n, tile_rows) * divide_up(columns, tile_columns));
  }

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
    return {1, std::size_t(tiles(a.n, a.columns))};
  }
  template <class T, class Shape>
  static std::size_t groups(const Arguments<T>& a, int) {
    return std::size_t(tiles(a.n, a.columns));
  }
  template <class T, class Shape>
  static std::size_t local_bytes(const Arguments<T>&, int) {
    return GroupSum::local_bytes<double>();
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double values = double(a.n) * double(a.columns);
    return {(a.others ? 6 : 3) * values, (a.others ? 4 : 3) * values * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t index, std::size_t, const Arguments<T>& a) {
    const TileOf<T> tile(a, index);
    tile.subtract_entries(0, 1);
    double sum = 0;
    for (std::size_t row = tile.rows.first; row < tile.rows.last; ++row)
      for (std::size_t column = tile.columns.first; column < tile.columns.last; ++column)
        sum += tile.template squares<1>(row, column, 1);
    a.squares[index] = sum;
  }

  template <class T, class Shape, class Group>
  CHORD_INLINE static void run_group(Group& group, const Arguments<T>& a) {
    constexpr int Width = Lane<T>::width, across = tile_columns / Width;
    const TileOf<T> tile(a, group.index());
    if (!a.x.dense) group.each([&](int lane) { tile.subtract_entries(lane, group.lanes()); });
    const auto squares = [&](std::size_t i) CHORD_INLINED {
      const std::size_t column = tile.columns.first + i % across * Width;
      return tile.template squares<Width>(tile.rows.first + i / across, column,
                                          std::int64_t(tile.columns.last) - std::int64_t(column));
    };
    GroupSum::run<double>(group, {0, (tile.rows.last - tile.rows.first) * across}, squares, a.squares + group.index());
  }

 private:
  template <class T>
  struct TileOf {
    const Arguments<T>& a;
    Range rows, columns;

    CHORD_INLINE TileOf(const Arguments<T>& arguments, std::size_t index) : a(arguments) {
      const auto below = std::uint32_t(divide_up(std::size_t(a.n), tile_rows)), across = std::uint32_t(index) / below;
      rows = piece_of(std::uint32_t(index) - across * below, tile_rows, std::size_t(a.n));
      columns = piece_of(across, tile_columns, std::size_t(a.columns));
    }

    /// The differences of neighbouring values from X, `left` or fewer, squared and summed; a sparse X has been
    /// subtracted before.
    template <int Width>
    CHORD_INLINE double squares(std::size_t row, std::size_t column, std::int64_t left) const {
      const std::size_t at = row * std::size_t(a.panel) + column;
      const T share = a.others ? T(0.5) : T(1);
      vector<T, Width> value = load_some<Width>(a.values + at, left);
      if (a.others) value = share * (value + load_some<Width>(a.others + at, left));
      if (a.x.dense)
        value -= load_some<Width>(a.x.dense + row * std::size_t(a.n) + std::size_t(a.first) + column, left);
      if (row >= std::size_t(a.x.height)) value = vector<T, Width>{};
      store_some<Width>(a.values + at, share * value, left);
      double sum = 0;
#pragma GCC unroll 4
      for (int b = 0; b < Width; ++b) sum += double(value[b]) * double(value[b]);
      return sum;
    }

    /// Of a sparse X: every so many of the entries of each column. Twice where the mean is taken afterwards.
    CHORD_INLINE void subtract_entries(int first, int step) const {
      if (a.x.dense) return;
      const T times = a.others ? T(2) : T(1);
      for (std::size_t c = columns.first; c < columns.last; ++c) {
        const std::int64_t last = first_entry(c, rows.last);
        for (std::int64_t e = first_entry(c, rows.first) + first; e < last; e += step)
          a.values[std::size_t(a.x.rows[e] * a.panel) + c] -= times * a.x.entries[e];
      }
    }

    /// The first entry of a column that is not above a row.
    CHORD_INLINE std::int64_t first_entry(std::size_t column, std::size_t row) const {
      std::int64_t low = a.x.starts[std::size_t(a.first) + column],
                   high = a.x.starts[std::size_t(a.first) + column + 1];
      while (low < high) {
        const std::int64_t middle = (low + high) / 2;
        if (a.x.rows[middle] < std::int32_t(row))
          low = middle + 1;
        else
          high = middle;
      }
      return low;
    }
  };
};

// Weights that obey a constraint, as functions of parameters that are free. Squares reach every weight ≥ 0, smoothly
// and without transcendental functions; a row of squares divided by its sum, every distribution.
inline constexpr std::int32_t weights_free = 0, weights_squares = 1, weights_distributions = 2;
/// Rows of parameters that are worth a thread of a CPU.
inline constexpr int rows_of_thread = 512;
/// Rows of a GPU's group: about as many as its lanes take 16 bytes each, by eight, which are whole sectors.
template <class T>
CHORD_INLINE std::uint32_t rows_of_group(std::int64_t links, int lanes) {
  const std::uint32_t fit = std::uint32_t(lanes * Lane<T>::width) / std::uint32_t(links);
  return fit >= 8 ? fit / 8 * 8 : fit >= 1 ? 8 : 1;
}
/// action(first) for every 16 bytes of `count` values, which a group's lanes share.
template <class T, class Group, class Action>
CHORD_INLINE void each_lane_of(Group& group, int count, Action action) {
  constexpr int Width = Lane<T>::width;
  group.each([&](int lane) {
#pragma GCC unroll 1
    for (int i = lane * Width; i < count; i += group.lanes() * Width) action(i);
  });
}

/// The weights of some rows of the factors, from their parameters.
struct fit_weights {
  using types = Reals;
  template <class T>
  using cpu = Tile<rows_of_thread, 0>;
  template <class T>
  using gpu = Group;

  template <class T>
  struct Arguments {
    const T* parameters;
    T* w;
    std::int64_t rows, links;
    std::int32_t kind;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, divide_up(a.rows, Shape::rows)};
  }
  template <class T, class Shape>
  static std::size_t groups(const Arguments<T>& a, int lanes) {
    return divide_up(a.rows, rows_of_group<T>(a.links, lanes));
  }
  template <class T, class Shape>
  static std::size_t local_bytes(const Arguments<T>& a, int lanes) {
    const std::size_t rows = rows_of_group<T>(a.links, lanes);
    return local_size<T>(rows * std::size_t(a.links)) + local_size<T>(rows);
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double values = double(a.rows * a.links);
    return {2 * values, 2 * values * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t place, std::size_t, const Arguments<T>& a) {
    const auto links = std::uint32_t(a.links);
    const Range rows = piece_of(place, Shape::rows, a.rows);
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const T* theta = a.parameters + row * links;
      const T by = divisor(theta, links, a.kind);
      for (std::uint32_t k = 0; k < links; ++k) a.w[row * links + k] = theta[k] * theta[k] / by;
    }
  }

  template <class T, class Shape, class Group>
  CHORD_INLINE static void run_group(Group& group, const Arguments<T>& a) {
    constexpr int Width = Lane<T>::width;
    const auto links = std::uint32_t(a.links), each = rows_of_group<T>(a.links, group.lanes());
    const Range rows = piece_of(group.index(), each, std::size_t(a.rows));
    const int count = int((rows.last - rows.first) * links);
    const T* theta = a.parameters + rows.first * links;
    T *w = a.w + rows.first * links, *squares = group.template local<T>(std::size_t(each) * links),
      *sums = group.template local<T>(each);
    const bool shares = a.kind == weights_distributions;
    each_lane_of<T>(group, count, [&](int i) {
      const vector<T, Width> value = load_some<Width>(theta + i, count - i), square = value * value;
      if (shares)
        store_aligned<Width>(squares + i, square);
      else
        store_some<Width>(w + i, square, count - i);
    });
    if (!shares) return;
    group.each([&](int lane) {
      for (int row = lane; row < int(rows.last - rows.first); row += group.lanes()) {
        T sum = 0;
        for (int k = 0; k < int(links); ++k) sum += squares[row * int(links) + k];
        sums[row] = sum;
      }
    });
    each_lane_of<T>(group, count, [&](int i) {
      vector<T, Width> value = load_aligned<Width>(squares + i);
#pragma GCC unroll 4
      for (int b = 0; b < Width; ++b)
        if (i + b < count) value[b] /= sums[std::uint32_t(i + b) / links];
      store_some<Width>(w + i, value, count - i);
    });
  }

  /// Of the squares of a row.
  template <class T>
  CHORD_INLINE static T divisor(const T* theta, std::size_t links, std::int32_t kind) {
    if (kind != weights_distributions) return 1;
    T sum = 0;
    for (std::size_t k = 0; k < links; ++k) sum += theta[k] * theta[k];
    return sum;
  }
};

/// The gradient with respect to the parameters of some rows of a set, from its workers' partial gradients with respect
/// to the weights, summed in order.
struct fit_gradient {
  using types = Reals;
  template <class T>
  using cpu = Tile<rows_of_thread, 0>;
  template <class T>
  using gpu = Group;

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
    return {std::size_t(a.sets.count), divide_up(a.rows, Shape::rows)};
  }
  template <class T, class Shape>
  static std::size_t groups(const Arguments<T>& a, int lanes) {
    return std::size_t(a.sets.count) * divide_up(a.rows, rows_of_group<T>(a.links, lanes));
  }
  template <class T, class Shape>
  static std::size_t local_bytes(const Arguments<T>& a, int lanes) {
    const std::size_t rows = rows_of_group<T>(a.links, lanes);
    return 3 * local_size<T>(rows * std::size_t(a.links)) + 2 * local_size<T>(rows);
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double values = double(a.sets.count * a.rows * a.links);
    return {double(a.partials) * values, double(a.partials + (a.kind == weights_free ? 1 : 3)) * values * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t set, std::size_t tile, std::size_t, const Arguments<T>& a) {
    if (!a.sets.has(set)) return;
    const Rows<T> of_set(a, set, piece_of(tile, Shape::rows, a.rows));
    for (std::size_t i = 0; i < of_set.count; ++i) of_set.gradient[i] = of_set.sum(i);
    if (a.kind == weights_free) return;
    for (std::size_t row = 0; row < of_set.count; row += a.links) {
      const auto slope = of_set.slope(row, of_set.gradient);
      for (std::size_t i = row; i < row + a.links; ++i) of_set.gradient[i] = slope(i, of_set.gradient[i]);
    }
  }

  template <class T, class Shape, class Group>
  CHORD_INLINE static void run_group(Group& group, const Arguments<T>& a) {
    constexpr int Width = Lane<T>::width;
    const auto links = std::uint32_t(a.links), each = rows_of_group<T>(a.links, group.lanes()),
               pieces = (std::uint32_t(a.rows) + each - 1) / each, set = std::uint32_t(group.index()) / pieces,
               piece = std::uint32_t(group.index()) - set * pieces;
    if (!a.sets.has(set)) return;
    const Range rows = piece_of(piece, each, std::size_t(a.rows));
    const Rows<T> of_set(a, set, rows);
    const std::size_t most = std::size_t(each) * links;
    T *sums = group.template local<T>(most), *products = group.template local<T>(most),
      *squares = group.template local<T>(most), *means = group.template local<T>(each),
      *divisors = group.template local<T>(each);
    const int count = int(of_set.count);
    const bool shares = a.kind == weights_distributions;
    each_lane_of<T>(group, count, [&](int i) {
      const int left = count - i;
      const vector<T, Width> sum = of_set.template sum<Width>(i, left);
      if (a.kind == weights_free) return store_some<Width>(of_set.gradient + i, sum, left);
      const vector<T, Width> theta = load_some<Width>(of_set.parameters + i, left);
      if (!shares) return store_some<Width>(of_set.gradient + i, 2 * theta * sum, left);
      store_aligned<Width>(sums + i, sum);
      store_aligned<Width>(products + i, load_some<Width>(of_set.w + i, left) * sum);
      store_aligned<Width>(squares + i, theta * theta);
    });
    if (!shares) return;
    group.each([&](int lane) {
      for (int row = lane; row < int(rows.last - rows.first); row += group.lanes()) {
        T mean = 0, by = 0;
        for (int i = row * int(links); i < (row + 1) * int(links); ++i) {
          mean += products[i];
          by += squares[i];
        }
        means[row] = mean;
        divisors[row] = by;
      }
    });
    each_lane_of<T>(group, count, [&](int i) {
      const vector<T, Width> theta = load_some<Width>(of_set.parameters + i, count - i);
      vector<T, Width> slope = load_aligned<Width>(sums + i);
#pragma GCC unroll 4
      for (int b = 0; b < Width; ++b) {
        const std::uint32_t row = std::uint32_t(i + b) / links;
        if (i + b < count) slope[b] = 2 * theta[b] * (slope[b] - means[row]) / divisors[row];
      }
      store_some<Width>(of_set.gradient + i, slope, count - i);
    });
  }

 private:
  /// Some rows of a set, as if they were all there are.
  template <class T>
  struct Rows {
    const Arguments<T>& a;
    const T *partial, *parameters, *w;
    T* gradient;
    std::size_t all, count;

    CHORD_INLINE Rows(const Arguments<T>& arguments, std::size_t set, Range rows) : a(arguments) {
      all = std::size_t(a.rows * a.links);
      count = (rows.last - rows.first) * std::size_t(a.links);
      const std::size_t first = rows.first * std::size_t(a.links), at = set * all + first;
      partial = a.partial + set * all * std::size_t(a.partials) + first;
      parameters = a.parameters + at;
      w = a.w + at;
      gradient = a.gradient + at;
    }

    CHORD_INLINE T sum(std::size_t i) const {
      T sum = partial[i];
      for (std::int64_t p = 1; p < a.partials; ++p) sum += partial[std::size_t(p) * all + i];
      return sum;
    }
    template <int Width>
    CHORD_INLINE vector<T, Width> sum(int i, int left) const {
      const T* from = partial + i;
      vector<T, Width> sum = load_some<Width>(from, left);
#pragma GCC unroll 4
      for (std::int64_t p = 1; p < a.partials; ++p) sum += load_some<Width>(from += all, left);
      return sum;
    }

    /// From a weight's gradient to its parameter's, in the row that begins with parameter `row`; g: of the weights.
    struct Slope {
      const T* parameters;
      T mean, by;
      CHORD_INLINE T operator()(std::size_t i, T g) const { return 2 * parameters[i] * (g - mean) / by; }
    };
    CHORD_INLINE Slope slope(std::size_t row, const T* g) const {
      T mean = 0;
      if (a.kind == weights_distributions)
        for (std::size_t k = row; k < row + std::size_t(a.links); ++k) mean += w[k] * g[k];
      return {parameters, mean, fit_weights::divisor(parameters + row, std::size_t(a.links), a.kind)};
    }
  };
};

}  // namespace chord::CHORD_KERNELS
