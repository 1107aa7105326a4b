// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/solver/linear_system.h"

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "solver/problems.h"

namespace patchfield {
namespace {

using testing::Random;

struct Graph {
  std::vector<int> sizes;
  std::vector<std::uint64_t> pairs;
  int num_velocities() const {
    int n = 0;
    for (const int s : sizes) n += s;
    return n;
  }
};

Graph chain(int n, int size) {
  Graph g;
  g.sizes.assign(n, size);
  for (int i = 0; i + 1 < n; ++i) g.pairs.push_back(pair_key(i, i + 1));
  return g;
}

Graph random_graph(Random& random, int n, double density) {
  Graph g;
  std::set<std::uint64_t> keys;
  for (int i = 0; i < n; ++i) g.sizes.push_back(1 + random.integer(7));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      if (random.uniform(0, 1) < density) keys.insert(pair_key(i, j));
  g.pairs.assign(keys.begin(), keys.end());
  return g;
}

// Bodies on a cubic grid that touch their neighbours.
Graph pile(int side) {
  Graph g;
  g.sizes.assign(side * side * side, 6);
  std::set<std::uint64_t> keys;
  auto id = [&](int x, int y, int z) { return x + side * (y + side * z); };
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y)
      for (int z = 0; z < side; ++z) {
        if (x + 1 < side) keys.insert(pair_key(id(x, y, z), id(x + 1, y, z)));
        if (y + 1 < side) keys.insert(pair_key(id(x, y, z), id(x, y + 1, z)));
        if (z + 1 < side) keys.insert(pair_key(id(x, y, z), id(x, y, z + 1)));
      }
  g.pairs.assign(keys.begin(), keys.end());
  return g;
}

// Random numbers on the structure; diagonally dominant, so positive definite when symmetric.
MatX random_matrix(Random& random, const Graph& g, bool symmetric) {
  std::vector<int> start{0};
  for (const int s : g.sizes) start.push_back(start.back() + s);
  const int n = start.back();
  MatX H = MatX::Zero(n, n);
  auto fill = [&](int i, int j) {
    for (int r = 0; r < g.sizes[i]; ++r)
      for (int c = 0; c < g.sizes[j]; ++c) H(start[i] + r, start[j] + c) = random.uniform(-1, 1);
  };
  for (int i = 0; i < static_cast<int>(g.sizes.size()); ++i) fill(i, i);
  for (const std::uint64_t key : g.pairs) {
    const int i = static_cast<int>(key >> 32), j = static_cast<int>(key & 0xffffffffu);
    fill(i, j), fill(j, i);
  }
  if (symmetric) H = (H + H.transpose()).eval();
  for (int i = 0; i < n; ++i) H(i, i) += 1.0 + H.row(i).cwiseAbs().sum();
  return H;
}

void assemble(const Graph& g, const MatX& H, Factorization kind, LinearSystem& system) {
  std::vector<int> start{0};
  for (const int s : g.sizes) start.push_back(start.back() + s);
  system.set_zero(kind);
  for (int i = 0; i < static_cast<int>(g.sizes.size()); ++i) {
    const MatX block = H.block(start[i], start[i], g.sizes[i], g.sizes[i]);
    system.add_diagonal(i, block.data(), g.sizes[i]);
  }
  for (int p = 0; p < static_cast<int>(g.pairs.size()); ++p) {
    const int i = static_cast<int>(g.pairs[p] >> 32), j = static_cast<int>(g.pairs[p] & 0xffffffffu);
    const MatX block = H.block(start[i], start[j], g.sizes[i], g.sizes[j]);
    if (p % 2 == 0 || kind == Factorization::kLu) {
      system.add_pair(p, block.data());
    } else {
      for (int r = 0; r < g.sizes[i]; ++r)
        for (int c = 0; c < g.sizes[j]; ++c) system.add_symmetric_pair_entry(p, r, c, block(r, c));
    }
    if (kind == Factorization::kLu) {
      const MatX other = H.block(start[j], start[i], g.sizes[j], g.sizes[i]);
      system.add_pair_transposed_side(p, other.data());
    }
  }
}

void expect_solves(const Graph& g, Factorization kind, LinearAlgebra choice, Random& random, LinearSystem& system) {
  system.set_structure(g.sizes, g.pairs, choice);
  const MatX H = random_matrix(random, g, kind == Factorization::kCholesky);
  assemble(g, H, kind, system);
  ASSERT_TRUE(system.factor());
  VecX b = VecX::NullaryExpr(H.rows(), [&](auto) { return random.uniform(-1, 1); });
  VecX x = b;
  system.solve(x.data());
  EXPECT_LT((H * x - b).norm(), 1e-12 * b.norm());
}

TEST(LinearSystem, SolvesOnRandomGraphsDenseAndSparse) {
  Random random(11);
  LinearSystem system;
  for (int trial = 0; trial < 60; ++trial) {
    const Graph g = random_graph(random, 1 + random.integer(25), random.uniform(0.0, 0.5));
    for (const auto kind : {Factorization::kCholesky, Factorization::kLu})
      for (const auto choice : {LinearAlgebra::kDense, LinearAlgebra::kSparse, LinearAlgebra::kAuto})
        expect_solves(g, kind, choice, random, system);
  }
}

TEST(LinearSystem, SolvesChainsAndPiles) {
  Random random(12);
  LinearSystem system;
  for (const Graph& g : {chain(2, 6), chain(30, 6), chain(40, 1), pile(3), pile(4)})
    for (const auto kind : {Factorization::kCholesky, Factorization::kLu})
      expect_solves(g, kind, LinearAlgebra::kAuto, random, system);
}

// A block on the diagonal that is singular by itself: exchanges inside a panel must save the LU.
TEST(LinearSystem, LuExchangesRowsInsideAPanel) {
  LinearSystem system;
  const Graph g{{2}, {}};
  system.set_structure(g.sizes, g.pairs, LinearAlgebra::kAuto);
  MatX H(2, 2);
  H << 0, 1, 2, 3;
  assemble(g, H, Factorization::kLu, system);
  ASSERT_TRUE(system.factor());
  VecX b(2);
  b << 1, 1;
  VecX x = b;
  system.solve(x.data());
  EXPECT_LT((H * x - b).norm(), 1e-15);
}

TEST(LinearSystem, RefusesWhatIsNotPositiveDefinite) {
  LinearSystem system;
  const Graph g = chain(3, 2);
  system.set_structure(g.sizes, g.pairs, LinearAlgebra::kSparse);
  Random random(13);
  MatX H = random_matrix(random, g, true);
  H(4, 4) = -1.0;
  assemble(g, H, Factorization::kCholesky, system);
  EXPECT_FALSE(system.factor());
}

TEST(LinearSystem, ChoosesByPattern) {
  LinearSystem system;
  const Graph stack = chain(10, 6);
  system.set_structure(stack.sizes, stack.pairs, LinearAlgebra::kAuto);
  EXPECT_FALSE(system.is_dense()) << "a stack of ten is a chain: 60³/3 operations against 10·(6³ + …)";
  EXPECT_LT(system.operations(), 20000.0);
  Graph clique{std::vector<int>(8, 6), {}};
  for (int i = 0; i < 8; ++i)
    for (int j = i + 1; j < 8; ++j) clique.pairs.push_back(pair_key(i, j));
  system.set_structure(clique.sizes, clique.pairs, LinearAlgebra::kAuto);
  EXPECT_TRUE(system.is_dense());
}

TEST(LinearSystem, KeepsItsAnalysisWhileTheGraphStays) {
  LinearSystem system;
  const Graph g = pile(3), other = pile(2);
  EXPECT_TRUE(system.set_structure(g.sizes, g.pairs, LinearAlgebra::kAuto));
  EXPECT_FALSE(system.set_structure(g.sizes, g.pairs, LinearAlgebra::kAuto));
  EXPECT_TRUE(system.set_structure(other.sizes, other.pairs, LinearAlgebra::kAuto));
  EXPECT_TRUE(system.set_structure(g.sizes, g.pairs, LinearAlgebra::kAuto));
}

// The order must be a permutation, and the rows of each column the fill that eliminating in that order makes.
TEST(Ordering, PredictsTheFillOfItsOrder) {
  Random random(14);
  Ordering ordering;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + random.integer(30);
    const Graph g = random_graph(random, n, random.uniform(0.0, 0.4));
    BlockGraph graph;
    std::vector<std::set<int>> next(n);
    for (const std::uint64_t key : g.pairs) {
      const int i = static_cast<int>(key >> 32), j = static_cast<int>(key & 0xffffffffu);
      next[i].insert(j), next[j].insert(i);
    }
    graph.start.push_back(0);
    for (int i = 0; i < n; ++i) {
      graph.size.push_back(g.sizes[i]);
      for (const int j : next[i]) graph.neighbor.push_back(j);
      graph.start.push_back(graph.neighbor.size());
    }
    Elimination e;
    ordering.minimum_degree(graph, e);
    ASSERT_EQ(e.order.size(), n);
    for (int k = 0; k < n; ++k) {
      const int p = e.order[k];
      ASSERT_EQ(e.position[p], k);
      const std::set<int> expected = next[p];
      const std::set<int> found(e.rows.data() + e.row_start[k], e.rows.data() + e.row_start[k + 1]);
      ASSERT_EQ(found, expected);
      for (const int i : expected) {
        next[i].erase(p);
        for (const int j : expected)
          if (i != j) next[i].insert(j);
      }
    }
  }
}

// A star must lose its leaves first: no fill at all. The natural order, hub first, would fill it completely.
TEST(Ordering, EliminatesLeavesBeforeTheHub) {
  Graph g{std::vector<int>(40, 6), {}};
  for (int i = 1; i < 40; ++i) g.pairs.push_back(pair_key(0, i));
  LinearSystem system;
  system.set_structure(g.sizes, g.pairs, LinearAlgebra::kAuto);
  EXPECT_FALSE(system.is_dense());
  EXPECT_LT(system.operations(), 40 * 1500.0);
}

}  // namespace
}  // namespace patchfield
