// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A graph of blocks → the order in which to eliminate them, and the fill that this order makes.
//
// Approximate minimum degree (Amestoy, Davis, Duff 1996) on the quotient graph, degrees counted in
// velocities rather than blocks. Without supervariables: blocks here are whole trees already.

#pragma once

#include "patchfield/core/column.h"

namespace patchfield {

/// Undirected graph in rows: neighbours of i are neighbor[start[i] … start[i+1]), without i, each edge twice.
struct BlockGraph {
  Column<int> size;  ///< Velocities per block.
  Column<int> start, neighbor;
  int num_blocks() const { return size.size(); }
};

struct Elimination {
  Column<int> order;     ///< order[k] is the block eliminated k-th.
  Column<int> position;  ///< Inverse of order.
  /// Column k of the factor touches the blocks rows[row_start[k] … row_start[k+1]), in no order.
  Column<int> row_start, rows;
};

class Ordering {
 public:
  void minimum_degree(const BlockGraph& graph, Elimination& out);

 private:
  void reset(const BlockGraph& graph);
  void gather_element(int p, Elimination& out);
  void update_neighbor(int i, int p, int element_weight);
  void put_in_bucket(int i, int degree);
  void take_from_bucket(int i);

  // Per block: lists [elements | variables] share one slot of list_, which never has to grow.
  Column<int> list_, begin_, num_elements_, num_variables_;
  Column<int> size_, degree_, mark_;
  Column<int> element_begin_, element_end_, element_weight_, outside_, outside_stamp_;
  Column<unsigned char> state_;  ///< 0 variable, 1 element, 2 absorbed element.
  Column<int> bucket_, next_, previous_;
  int stamp_ = 0;
};

}  // namespace patchfield
