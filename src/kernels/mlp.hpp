// Networks that work row by row: linear, GELU, linear; several of them on the same rows, and their gradients.
//
// A tile of rows is turned over, so that a vector holds one value of neighbouring rows: parameters are then scalars,
// used in the layout they are stored in, and every size goes. The tile passes through both layers while it is in the
// cache; the hidden layer is never in memory, and the backward pass makes it again.
//
// On CPUs a tile is multiplied by linear_tile.hpp. On GPUs a team of lanes is the worker, and the tile is in its local
// memory: network_lane.hpp. A worker takes a run of tiles; its gradients are sums of its own, so nothing depends on
// who comes first.
#pragma once

#include "network_lane.hpp"

namespace chord::CHORD_KERNELS {

/// The shape on GPUs: rows are those of a team's tile.
template <class T>
struct NetworkGroup : Group {
  static constexpr int rows = NetworkTile<T>::rows, units = NetworkTile<T>::units;
};

/// A shape's width and vectors are of the block of registers, its rows those of a tile.
struct ByTiles {
  using types = Reals;
  template <class T>
  using cpu = Block<cpu_lanes<T>, 2, 12 * cpu_lanes<T>>;
  template <class T>
  using gpu = NetworkGroup<T>;
};

/// out[network, row, :] = the networks' outputs for in[row, :].
struct mlp_forward : ByTiles {
  template <class T>
  struct Arguments {
    const T *in, *parameters;
    T* out;
    T* scratch;  ///< per worker scratch_rows(…) · tile values
    Network network;
    std::int64_t rows, networks;
    std::int64_t workers, tiles_each;  ///< of CPUs, as is the scratch
  };

  CHORD_INLINE static std::int64_t scratch_rows(const Network& net) { return net.ins + net.hidden + net.outs; }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.workers)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double rows = double(a.rows), networks = double(a.networks);
    return {mlp_flop(a.network, rows * networks) + gelu_flop<T> * rows * networks * double(a.network.hidden),
            (rows * double(a.network.ins) + networks * (rows * double(a.network.outs) + double(a.network.size()))) *
                sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t worker, std::size_t, std::size_t, const Arguments<T>& a) {
    constexpr int Width = Shape::width, Tile = Shape::rows;
    using Block = Registers<Shape>;
    const Network net = a.network;
    const int ins = int(net.ins), hidden = int(net.hidden), outs = int(net.outs);
    T* x = a.scratch + worker * scratch_rows(net) * Tile;
    T* h = x + ins * Tile;
    T* y = h + hidden * Tile;
    for (std::int64_t tile = worker * a.tiles_each; tile < std::int64_t(worker + 1) * a.tiles_each; ++tile) {
      const std::int64_t first = tile * Tile;
      if (first >= a.rows) return;
      const int valid = a.rows - first < Tile ? a.rows - first : Tile;
      load_tile<T, Width, Tile>(a.in + first * ins, valid, ins, x);
      for (int m = 0; m < a.networks; ++m) {
        const T* p = a.parameters + m * net.size();
        T* out = a.out + (m * a.rows + first) * outs;
        linear_tile<T, Block, Tile>(first_layer(net, p), x, h, Into::replace);
        prefetch<Access::write>(out, valid * outs);
        gelu_tile<T, Block::width, Tile>(h, nullptr, hidden);
        linear_tile<T, Block, Tile>(second_layer(net, p), h, y, Into::replace);
        store_tile<T, Width, Tile>(y, valid, outs, out, false);
      }
    }
  }

  // A group takes as many tiles as it has teams through some of the networks: through all of them where there are tiles
  // enough for a large device, which then reads its rows once.
  static constexpr int enough_tiles = 432;

  /// Networks that a group takes.
  CHORD_INLINE static int networks_each(int tiles, int networks) {
    const int parts = tiles < 1 ? 1 : (enough_tiles + tiles - 1) / tiles;
    return (networks + parts - 1) / parts;
  }

  template <class T, class Shape>
  static std::size_t groups(const Arguments<T>& a, int lanes) {
    const std::size_t tiles = divide_up(a.rows, Shape::rows);
    return divide_up(tiles, lanes / team) * divide_up(a.networks, networks_each(int(tiles), int(a.networks)));
  }

  template <class T, class Shape>
  static std::size_t local_bytes(const Arguments<T>&, int lanes) {
    using Tile = NetworkTile<T>;
    return lanes / team * local_size<T>(2 * Tile::values + Tile::out_values) +
           local_size<T>(Tile::weights + Tile::out_weights + Tile::units + Tile::outs);
  }

  template <class T, class Shape, class G>
  CHORD_INLINE static void run_group(G& g, const Arguments<T>& a) {
    using Tile = NetworkTile<T>;
    const NetworkBlocks<T> net(a.network);
    constexpr int values_each = 2 * Tile::values + Tile::out_values;
    const int teams = g.lanes() / team, rows = int(a.rows);
    const int tiles = (rows + Tile::rows - 1) / Tile::rows, bundles = (tiles + teams - 1) / teams;
    const int each = networks_each(tiles, int(a.networks)), task = int(g.index()) / bundles;
    const int begin = task * each, end = begin + each < int(a.networks) ? begin + each : int(a.networks);
    const int first_tile = (int(g.index()) - task * bundles) * teams;
    T* own = g.template local<T>(teams * values_each);
    T* w1 = g.template local<T>(Tile::weights + Tile::out_weights + Tile::units + Tile::outs);
    T *w2 = w1 + Tile::weights, *b1 = w2 + Tile::out_weights, *b2 = b1 + Tile::units;
    const auto first_row = [&](int lane) CHORD_INLINED { return (first_tile + lane / team) * Tile::rows; };
    const auto x_of = [&](int lane) CHORD_INLINED { return own + lane / team * values_each; };
    const auto h_of = [&](int lane) CHORD_INLINED { return x_of(lane) + Tile::values; };
    const auto y_of = [&](int lane) CHORD_INLINED { return h_of(lane) + Tile::values; };
    const auto valid_of = [&](int lane) CHORD_INLINED { return rows_of_tile<T>(rows - first_row(lane)); };
    const auto stage_rows = [&](int lane, int in) CHORD_INLINED {
      const T* from = a.in + std::int64_t(first_row(lane)) * net.all_ins + in * Tile::units;
      stage_turned<Tile::units, T>(lane % team, {from, net.all_ins, valid_of(lane), net.ins_of(in)}, x_of(lane));
    };
    if (net.ins() == 1) g.each([&](int lane) CHORD_INLINED { stage_rows(lane, 0); });
    CHORD_ROLLED
    for (int m = begin; m < end; ++m) {
      const T* p = a.parameters + std::int64_t(m) * net.size();
      CHORD_ROLLED
      for (int hidden = 0; hidden < net.hidden(); ++hidden) {
        auto sums = g.template keep<LaneBlock<T>>();
        CHORD_ROLLED
        for (int in = 0; in < net.ins(); ++in) {
          g.each([&](int lane) CHORD_INLINED {
            if (net.ins() > 1) stage_rows(lane, in);
            stage_first(lane, g.lanes(), net.first_layer(p, hidden, in), w1);
            if (in > 0) return;
            stage_second(lane, g.lanes(), net.second_layer(p, 0, hidden), w2);
            stage_values(lane, p + net.bias() + hidden * Tile::units, net.hidden_of(hidden), Tile::units, b1);
            stage_values(lane, p + net.bias_out(), hidden > 0 ? 0 : net.outs_of(0), Tile::outs, b2);
          });
          g.each([&](int lane) CHORD_INLINED {
            const NetworkLane<T> mine(lane);
            LaneBlock<T>& sum = sums[lane];
            if (in == 0) sum.begin_with(b1 + mine.unit);
            add_first_layer(mine, x_of(lane), w1, net.ins_of(in), sum);
            if (in + 1 == net.ins()) activate(mine, sum, h_of(lane), static_cast<T*>(nullptr));
          });
        }
        CHORD_ROLLED
        for (int out = 0; out < net.outs(); ++out) {
          if (out > 0)
            g.each([&](int lane) CHORD_INLINED {
              stage_second(lane, g.lanes(), net.second_layer(p, out, hidden), w2);
              stage_values(lane, p + net.bias_out() + out * Tile::outs, hidden > 0 ? 0 : net.outs_of(out), Tile::outs,
                           b2);
            });
          g.each([&](int lane) CHORD_INLINED {
            with_number((net.outs_of(out) + 3) / 4, [&](auto number) CHORD_INLINED {
              make_outputs<number.value>(lane % team, h_of(lane), w2, b2, net.hidden_of(hidden), net.outs_of(out),
                                         y_of(lane));
            });
          });
          g.each([&](int lane) CHORD_INLINED {
            T* to = a.out + (std::int64_t(m) * rows + first_row(lane)) * net.all_outs + out * Tile::outs;
            flush(lane % team, y_of(lane), valid_of(lane), net.outs_of(out), to, net.all_outs, hidden > 0);
          });
        }
      }
    }
  }

 private:
  /// y[row, o] = b₂ + W₂ h for half the rows of a lane before, and every fourth output.
  template <int Outs, class T>
  CHORD_INLINE static void make_outputs(int lane, const T* h, const T* w2, const T* b2, int hidden, int outs, T* y) {
    using Tile = NetworkTile<T>;
    constexpr int Rows = Tile::rows_each / 2;
    const int row = lane / 4 * Rows, first = lane % 4;
    T sum[Rows][Outs];
#pragma GCC unroll 4
    for (int j = 0; j < Outs; ++j) {
      const T bias = b2[first + 4 * j];
#pragma GCC unroll 4
      for (int r = 0; r < Rows; ++r) sum[r][j] = bias;
    }
    add_products_along(
        h, row, w2, [&](int j, int k) CHORD_INLINED { return Tile::second(first + 4 * j, k); }, in_fours(hidden), sum);
#pragma GCC unroll 4
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 4
      for (int j = 0; j < Outs; ++j)
        if (first + 4 * j < outs) y[(row + r) * outs + first + 4 * j] = sum[r][j];
  }

  /// Rows of `count` values each to rows of a stride.
  template <class T>
  CHORD_INLINE static void flush(int lane, const T* from, int rows, int count, T* to, int stride, bool accumulate) {
    const int all = rows * count;
    if (count == stride && is_aligned<4>(to)) {
      constexpr int Width = Lane<T>::width;
      for (int i = lane * Width; i + Width <= all; i += team * Width) {
        const vector<T, Width> values = load_aligned<Width>(from + i);
        store_aligned<Width>(to + i, accumulate ? load_aligned<Width>(to + i) + values : values);
      }
      const int i = all / Width * Width + lane;
      if (i < all) to[i] = accumulate ? to[i] + from[i] : from[i];
      return;
    }
    for (int i = lane; i < all; i += team) {
      T& target = count == stride ? to[i] : to[i / count * stride + i % count];
      target = accumulate ? target + from[i] : from[i];
    }
  }
};

/// The gradients of ⟨dout, out⟩: with respect to `in`, (+)= into din, and to the parameters, one sum per worker in
/// partial[worker, network, …]. A worker of a CPU takes tiles_each tiles, one of a GPU's every workers-th.
///
/// On a GPU with more inputs than a tile holds (is_wide), not din is made but what it is made of, in
/// slopes[row, network, hidden unit]: mlp_input_gradient does the rest.
struct mlp_backward : ByTiles {
  template <class T>
  struct Arguments {
    const T *in, *parameters, *dout;
    T *din, *partial;
    T* scratch;  ///< of CPUs: per worker scratch_rows(…) · tile values
    T* slopes;   ///< of GPUs, where the inputs are many
    Network network;
    std::int64_t rows, networks, dout_rows, workers, tiles_each;  ///< dout_rows: from one network to the next
    std::int64_t partial_size;                                    ///< from one worker's sums to the next one's
    std::int32_t accumulate, accumulate_partial;                  ///< of din; of a GPU's partial
  };

  template <class Shape>
  CHORD_INLINE static bool is_wide(const Network& net) {
    if constexpr (is_group<Shape>)
      return net.ins > Shape::units;
    else
      return false;
  }

  CHORD_INLINE static std::int64_t scratch_rows(const Network& net) { return 2 * net.ins + 2 * net.hidden + net.outs; }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.workers)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double rows = double(a.rows), networks = double(a.networks), size = double(a.network.size());
    // The hidden layer again, then for both layers the gradients of parameters and of inputs.
    return {2 * mlp_flop(a.network, rows * networks) +
                rows * networks * double(a.network.hidden) * (2 * double(a.network.ins) + gelu_flop<T>),
            (rows * double(a.network.ins) * (a.accumulate ? 3 : 2) +
             networks * (rows * double(a.network.outs) + size + double(a.workers) * size)) *
                sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t worker, std::size_t, std::size_t, const Arguments<T>& a) {
    constexpr int Width = Shape::width, Tile = Shape::rows;
    using Block = Registers<Shape>;
    const Network net = a.network;
    const int ins = int(net.ins), hidden = int(net.hidden), outs = int(net.outs);
    T* x = a.scratch + worker * scratch_rows(net) * Tile;
    T* dx = x + ins * Tile;
    T* h = dx + ins * Tile;
    T* slopes = h + hidden * Tile;
    T* dy = slopes + hidden * Tile;
    T* mine = a.partial + worker * a.partial_size;
    for (std::int64_t i = 0; i < a.networks * net.size(); ++i) mine[i] = T(0);
    for (std::int64_t tile = worker * a.tiles_each; tile < std::int64_t(worker + 1) * a.tiles_each; ++tile) {
      const std::int64_t first = tile * Tile;
      if (first >= a.rows) return;
      const int valid = a.rows - first < Tile ? a.rows - first : Tile;
      load_tile<T, Width, Tile>(a.in + first * ins, valid, ins, x);
      for (int m = 0; m < a.networks; ++m) {
        const T* p = a.parameters + m * net.size();
        T* dp = mine + m * net.size();
        load_tile<T, Width, Tile>(a.dout + (m * a.rows + first) * outs, valid, outs, dy);
        // h = gelu(W₁ x + b₁), and gelu' there
        linear_tile<T, Block, Tile>(first_layer(net, p), x, h, Into::replace);
        if (m + 1 < a.networks) prefetch<Access::read>(a.dout + ((m + 1) * a.rows + first) * outs, valid * outs);
        gelu_tile<T, Block::width, Tile>(h, slopes, hidden);
        // dW₂ += dy hᵀ, db₂ += dy
        inner_products<T, Shape>(dy, outs, h, hidden, dp + net.weight_out());
        tile_sums<T, Shape>(dy, outs, dp + net.bias_out());
        // dh = W₂ᵀ dy · gelu', in the slopes' memory
        T* dh = slopes;
        linear_tile<T, Block, Tile>(transposed(second_layer(net, p)), dy, dh, Into::multiply);
        // dW₁ += dh xᵀ, db₁ += dh
        outer_products<T, Block, Tile>(dh, hidden, a.in + first * ins, valid, ins, dp);
        tile_sums<T, Shape>(dh, hidden, dp + net.bias());
        // dx (+)= W₁ᵀ dh
        linear_tile<T, Block, Tile>(transposed(first_layer(net, p)), dh, dx, m > 0 ? Into::add : Into::replace);
      }
      store_tile<T, Width, Tile>(dx, valid, ins, a.din + first * ins, a.accumulate);
    }
  }

  // With few inputs a team takes its tiles through all networks, and sums din in registers; with many it takes them
  // through a block of hidden units of one network, so that there are teams enough for few workers.
  template <class T, class Shape>
  static std::size_t groups(const Arguments<T>& a, int lanes) {
    const std::size_t bundles = divide_up(a.rows > 0 ? a.workers : 0, lanes / team);
    return is_wide<Shape>(a.network) ? bundles * a.networks * std::size_t(NetworkBlocks<T>(a.network).hidden())
                                     : bundles;
  }

  template <class T, class Shape>
  static std::size_t local_bytes(const Arguments<T>&, int lanes) {
    using Tile = NetworkTile<T>;
    return lanes / team * local_size<T>(4 * Tile::values + Tile::out_values) +
           local_size<T>(Tile::weights + Tile::out_weights + Tile::units);
  }

  template <class T, class Shape, class G>
  CHORD_INLINE static void run_group(G& g, const Arguments<T>& a) {
    using Tile = NetworkTile<T>;
    const NetworkBlocks<T> net(a.network);
    const bool wide = is_wide<Shape>(a.network);
    const int teams = g.lanes() / team, rows = int(a.rows), workers = int(a.workers), networks = int(a.networks);
    const int bundles = (workers + teams - 1) / teams, task = int(g.index()) / bundles,
              first_worker = (int(g.index()) - task * bundles) * teams;
    const int first_network = wide ? task / net.hidden() : 0, last_network = wide ? first_network + 1 : networks;
    const int first_hidden = wide ? task % net.hidden() : 0, last_hidden = wide ? first_hidden + 1 : net.hidden();
    constexpr int values_each = 4 * Tile::values + Tile::out_values;
    T* own = g.template local<T>(teams * values_each);
    T* w1 = g.template local<T>(Tile::weights + Tile::out_weights + Tile::units);
    T *w2 = w1 + Tile::weights, *b1 = w2 + Tile::out_weights;
    const auto x_of = [&](int lane) CHORD_INLINED { return own + lane / team * values_each; };
    const auto h_of = [&](int lane) CHORD_INLINED { return x_of(lane) + Tile::values; };
    const auto dh_of = [&](int lane) CHORD_INLINED { return h_of(lane) + Tile::values; };
    const auto dx_of = [&](int lane) CHORD_INLINED { return dh_of(lane) + Tile::values; };
    const auto dy_of = [&](int lane) CHORD_INLINED { return dx_of(lane) + Tile::values; };
    const auto worker_of = [&](int lane) CHORD_INLINED { return first_worker + lane / team; };
    CHORD_ROLLED
    for (int tile = 0; tile * Tile::rows < rows; tile += workers) {
      const bool accumulate = tile > 0 || a.accumulate_partial;
      const auto first_row = [&](int lane) CHORD_INLINED { return (tile + worker_of(lane)) * Tile::rows; };
      const auto valid_of = [&](int lane) CHORD_INLINED {
        return worker_of(lane) < workers ? rows_of_tile<T>(rows - first_row(lane)) : 0;
      };
      // A worker that has no tile left in this round has nothing to add, but to begin with.
      const auto sums_up = [&](int lane) CHORD_INLINED {
        return worker_of(lane) < workers && (valid_of(lane) > 0 || !accumulate);
      };
      const auto stage_rows = [&](int lane, int in) CHORD_INLINED {
        const T* from = a.in + std::int64_t(first_row(lane)) * net.all_ins + in * Tile::units;
        stage_turned<Tile::units, T>(lane % team, {from, net.all_ins, valid_of(lane), net.ins_of(in)}, x_of(lane));
      };
      if (!wide) g.each([&](int lane) CHORD_INLINED { stage_rows(lane, 0); });
      CHORD_ROLLED
      for (int m = first_network; m < last_network; ++m) {
        const T* p = a.parameters + std::int64_t(m) * net.size();
        const auto gradient_of = [&](int lane) CHORD_INLINED {
          return a.partial + worker_of(lane) * a.partial_size + std::int64_t(m) * net.size();
        };
        const auto stage_outs = [&](int lane, int out, int hidden) CHORD_INLINED {
          const T* from = a.dout + (m * a.dout_rows + first_row(lane)) * net.all_outs + out * Tile::outs;
          stage_turned<Tile::outs, T>(lane % team, {from, net.all_outs, valid_of(lane), net.outs_of(out)}, dy_of(lane));
          stage_second(lane, g.lanes(), net.second_layer(p, out, hidden), w2);
        };
        CHORD_ROLLED
        for (int hidden = first_hidden; hidden < last_hidden; ++hidden) {
          auto sums = g.template keep<LaneBlock<T>>();
          CHORD_ROLLED
          for (int in = 0; in < net.ins(); ++in) {
            g.each([&](int lane) CHORD_INLINED {
              if (wide) stage_rows(lane, in);
              stage_first(lane, g.lanes(), net.first_layer(p, hidden, in), w1);
              if (in > 0) return;
              stage_outs(lane, 0, hidden);
              stage_values(lane, p + net.bias() + hidden * Tile::units, net.hidden_of(hidden), Tile::units, b1);
            });
            g.each([&](int lane) CHORD_INLINED {
              const NetworkLane<T> mine(lane);
              LaneBlock<T>& sum = sums[lane];
              if (in == 0) sum.begin_with(b1 + mine.unit);
              add_first_layer(mine, x_of(lane), w1, net.ins_of(in), sum);
              if (in + 1 == net.ins()) activate(mine, sum, h_of(lane), dh_of(lane));
            });
          }
          CHORD_ROLLED
          for (int out = 0; out < net.outs(); ++out) {
            if (out > 0) g.each([&](int lane) CHORD_INLINED { stage_outs(lane, out, hidden); });
            g.each([&](int lane) CHORD_INLINED {
              const NetworkLane<T> mine(lane);
              LaneBlock<T>& sum = sums[lane];
              if (out == 0) sum.fill(T(0));
              add_hidden_gradient(mine, dy_of(lane), w2, net.outs_of(out), sum);
              if (out + 1 == net.outs()) {
                finish_hidden_gradient(mine, sum, dh_of(lane));
                if (wide)
                  sum.flush(
                      mine, valid_of(lane), net.hidden_of(hidden),
                      a.slopes + (std::int64_t(first_row(lane)) * networks + m) * net.all_hidden + hidden * Tile::units,
                      networks * net.all_hidden, false);
              }
            });
          }
          CHORD_ROLLED
          for (int out = net.outs() - 1; out >= 0; --out) {
            if (out + 1 < net.outs()) g.each([&](int lane) CHORD_INLINED { stage_outs(lane, out, hidden); });
            auto halves = g.template keep<HalfSums<T>>();
            const int fours = (net.outs_of(out) + 3) / 4;
            g.each([&](int lane) CHORD_INLINED {
              const int in_team = lane % team;
              if (!sums_up(lane)) return;
              with_number(fours, [&](auto number) CHORD_INLINED {
                halves[lane].template sum<number.value>(in_team, dy_of(lane), h_of(lane));
              });
              if (hidden == 0 && in_team < net.outs_of(out))
                add_value(gradient_of(lane) + net.bias_out() + out * Tile::outs + in_team,
                          sum_over_rows(dy_of(lane), in_team), accumulate);
            });
            // The gradient of the outputs is not needed any more: its place is free.
            g.each([&](int lane) CHORD_INLINED { halves[lane].leave(lane % team, fours, dy_of(lane)); });
            g.each([&](int lane) CHORD_INLINED {
              if (sums_up(lane))
                halves[lane].flush(lane % team, fours, dy_of(lane), net.outs_of(out), net.hidden_of(hidden),
                                   gradient_of(lane) + net.second_at(out, hidden), net.all_hidden, accumulate);
            });
          }
          CHORD_ROLLED
          for (int in = net.ins() - 1; in >= 0; --in) {
            if (in + 1 < net.ins())
              g.each([&](int lane) CHORD_INLINED {
                stage_rows(lane, in);
                stage_first(lane, g.lanes(), net.first_layer(p, hidden, in), w1);
              });
            g.each([&](int lane) CHORD_INLINED {
              const NetworkLane<T> mine(lane);
              if (!wide) {
                LaneBlock<T> dx;
                dx.load(mine, dx_of(lane), m > 0 || hidden > 0);
                add_input_gradient(mine, dh_of(lane), w1, net.hidden_of(hidden), dx);
                dx.store(mine, dx_of(lane));
              }
              if (!sums_up(lane)) return;
              T* gradient = gradient_of(lane);
              add_first_layer_gradient(mine.in_team, dh_of(lane), x_of(lane), net.hidden_of(hidden), net.ins_of(in),
                                       gradient + net.first_at(hidden, in), net.all_ins, accumulate);
              if (in == 0 && mine.in_team < net.hidden_of(hidden))
                add_value(gradient + net.bias() + hidden * Tile::units + mine.in_team,
                          sum_over_rows(dh_of(lane), mine.in_team), accumulate);
            });
          }
        }
      }
      if (!wide)
        g.each([&](int lane) CHORD_INLINED {
          const NetworkLane<T> mine(lane);
          LaneBlock<T> dx;
          dx.load(mine, dx_of(lane), true);
          dx.flush(mine, valid_of(lane), net.all_ins, a.din + std::int64_t(first_row(lane)) * net.all_ins, net.all_ins,
                   a.accumulate);
        });
    }
  }

 private:
  /// dh = sum · gelu'
  template <class T>
  CHORD_INLINE static void finish_hidden_gradient(const NetworkLane<T>& mine, LaneBlock<T>& sum, T* dh) {
    sum.by_fours(mine, [&](vector<T, 4>& values, int place) CHORD_INLINED {
      values *= load_four(dh, place);
      store_four(dh, place, values);
    });
  }

  /// sum += W₂ᵀ dy
  template <class T>
  CHORD_INLINE static void add_hidden_gradient(const NetworkLane<T>& mine, const T* dy, const T* w2, int outs,
                                               LaneBlock<T>& sum) {
    add_products_across(
        dy, mine.row, w2, [&](int k) CHORD_INLINED { return NetworkTile<T>::second(k, mine.unit); }, in_fours(outs),
        sum.values);
  }

  /// dW₂ (+)= dy hᵀ: a lane has every fourth output and four hidden units, for half of the rows. Lanes of the second
  /// half leave their sums to those of the first.
  template <class T>
  struct HalfSums {
    static constexpr int half = team / 2, most = NetworkTile<T>::outs / 4;
    T values[most][4];

    CHORD_INLINE static int out_of(int lane) { return lane % half / 8; }
    CHORD_INLINE static int unit_of(int lane) { return lane % 8 * 4; }

    template <int Outs>
    CHORD_INLINE void sum(int lane, const T* dy, const T* h) {
      constexpr int rows = NetworkTile<T>::rows / 2;
      T sums[Outs][4] = {};
      add_products_over_rows<4, rows>(lane / half * rows, dy, out_of(lane), h, unit_of(lane), sums);
#pragma GCC unroll 4
      for (int i = 0; i < Outs; ++i)
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j) values[i][j] = sums[i][j];
    }

    CHORD_INLINE void leave(int lane, int outs, T* to) const {
      if (lane < half) return;
#pragma GCC unroll 4
      for (int i = 0; i < most; ++i)
        if (i < outs) store_four(to, NetworkTile<T>::in_order((i * half + lane % half) * 4), load<4>(values[i]));
    }

    CHORD_INLINE void flush(int lane, int fours, const T* others, int outs, int hidden, T* dw, int stride,
                            bool accumulate) {
      if (lane >= half) return;
      const int unit = unit_of(lane);
#pragma GCC unroll 4
      for (int i = 0; i < most; ++i) {
        const int out = out_of(lane) + 4 * i;
        if (i >= fours || out >= outs) break;
        const vector<T, 4> other = load_four(others, NetworkTile<T>::in_order((i * half + lane) * 4));
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j) values[i][j] += other[j];
        add_values(dw + out * stride + unit, values[i], hidden - unit, accumulate);
      }
    }
  };

  /// dW₁ (+)= dh xᵀ: a lane has four hidden units and four inputs.
  template <class T>
  CHORD_INLINE static void add_first_layer_gradient(int lane, const T* dh, const T* x, int hidden, int ins, T* dw,
                                                    int stride, bool accumulate) {
    const int unit = lane / 8 * 4, in = lane % 8 * 4;
    T sum[4][4] = {};
    add_products_over_rows<1, NetworkTile<T>::rows>(0, dh, unit, x, in, sum);
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i)
      if (unit + i < hidden) add_values(dw + (unit + i) * stride + in, sum[i], ins - in, accumulate);
  }
};

/// din[row, :] (+)= Σ_network W₁ᵀ slopes[row, network, :], where a GPU's mlp_backward has left that.
struct mlp_input_gradient {
  using types = Reals;
  template <class T>
  using cpu = NotThere;
  template <class T>
  using gpu = NetworkGroup<T>;

  template <class T>
  struct Arguments {
    const T *slopes, *parameters;
    T* din;
    Network network;
    std::int64_t rows, networks;
    std::int32_t accumulate;
  };

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double products = double(a.rows * a.networks) * double(a.network.hidden);
    return {2 * products * double(a.network.ins),
            (products + double(a.rows * a.network.ins) + double(a.networks * a.network.hidden * a.network.ins)) *
                sizeof(T)};
  }

  template <class T, class Shape>
  static std::size_t groups(const Arguments<T>& a, int lanes) {
    return divide_up(divide_up(a.rows, Shape::rows), lanes / team) * NetworkBlocks<T>(a.network).ins();
  }

  template <class T, class Shape>
  static std::size_t local_bytes(const Arguments<T>&, int lanes) {
    return local_size<T>(lanes / team * NetworkTile<T>::values) + local_size<T>(NetworkTile<T>::weights);
  }

  template <class T, class Shape, class G>
  CHORD_INLINE static void run_group(G& g, const Arguments<T>& a) {
    using Tile = NetworkTile<T>;
    const NetworkBlocks<T> net(a.network);
    const int teams = g.lanes() / team, rows = int(a.rows), index = int(g.index()), networks = int(a.networks);
    const int bundle = index / net.ins(), in = index % net.ins();
    T* own = g.template local<T>(teams * Tile::values);
    T* w = g.template local<T>(Tile::weights);
    const auto first_row = [&](int lane) CHORD_INLINED { return (bundle * teams + lane / team) * Tile::rows; };
    const auto valid_of = [&](int lane) CHORD_INLINED { return rows_of_tile<T>(rows - first_row(lane)); };
    auto dx = g.template keep<LaneBlock<T>>();
    g.each([&](int lane) CHORD_INLINED { dx[lane].fill(T(0)); });
    CHORD_ROLLED
    for (int m = 0; m < networks; ++m) {
      CHORD_ROLLED
      for (int hidden = 0; hidden < net.hidden(); ++hidden) {
        const T* p = a.parameters + std::int64_t(m) * net.size();
        g.each([&](int lane) CHORD_INLINED {
          const T* from =
              a.slopes + (std::int64_t(first_row(lane)) * networks + m) * net.all_hidden + hidden * Tile::units;
          stage_turned<Tile::units, T>(lane % team,
                                       {from, networks * net.all_hidden, valid_of(lane), net.hidden_of(hidden)},
                                       own + lane / team * Tile::values);
          stage_first(lane, g.lanes(), net.first_layer(p, hidden, in), w);
        });
        g.each([&](int lane) CHORD_INLINED {
          add_input_gradient(NetworkLane<T>(lane), own + lane / team * Tile::values, w, net.hidden_of(hidden),
                             dx[lane]);
        });
      }
    }
    g.each([&](int lane) CHORD_INLINED {
      dx[lane].flush(NetworkLane<T>(lane), valid_of(lane), net.ins_of(in),
                     a.din + std::int64_t(first_row(lane)) * net.all_ins + in * Tile::units, net.all_ins, a.accumulate);
    });
  }
};

}  // namespace chord::CHORD_KERNELS
