// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/solver/ordering.h"

#include <algorithm>

#include "patchfield/core/check.h"

namespace patchfield {
namespace {
constexpr unsigned char kVariable = 0, kElement = 1, kAbsorbed = 2;
}  // namespace

void Ordering::put_in_bucket(int i, int degree) {
  degree_[i] = degree;
  previous_[i] = -1;
  next_[i] = bucket_[degree];
  if (next_[i] >= 0) previous_[next_[i]] = i;
  bucket_[degree] = i;
}

void Ordering::take_from_bucket(int i) {
  if (next_[i] >= 0) previous_[next_[i]] = previous_[i];
  if (previous_[i] >= 0) next_[previous_[i]] = next_[i];
  else bucket_[degree_[i]] = next_[i];
}

void Ordering::reset(const BlockGraph& graph) {
  const int n = graph.num_blocks();
  size_ = graph.size;
  list_ = graph.neighbor;
  begin_.resize(n), num_variables_.resize(n), degree_.resize(n), next_.resize(n), previous_.resize(n);
  num_elements_.assign(n, 0);
  mark_.assign(n, 0), outside_stamp_.assign(n, 0);
  element_begin_.resize(n), element_end_.resize(n), element_weight_.resize(n), outside_.resize(n);
  state_.assign(n, kVariable);
  stamp_ = 0;
  int total = 0;
  for (int i = 0; i < n; ++i) total += size_[i];
  bucket_.assign(total + 1, -1);
  // Backwards, so that among equal degrees the first block comes first.
  for (int i = n - 1; i >= 0; --i) {
    begin_[i] = graph.start[i];
    num_variables_[i] = graph.start[i + 1] - graph.start[i];
    int degree = 0;
    for (int e = graph.start[i]; e < graph.start[i + 1]; ++e) degree += size_[graph.neighbor[e]];
    put_in_bucket(i, degree);
  }
}

// L_p = variables next to p, directly or through the elements of p, which p absorbs.
void Ordering::gather_element(int p, Elimination& out) {
  ++stamp_;
  mark_[p] = stamp_;
  element_begin_[p] = out.rows.size();
  int weight = 0;
  auto visit = [&](int i) {
    if (state_[i] != kVariable || mark_[i] == stamp_) return;
    mark_[i] = stamp_;
    weight += size_[i];
    out.rows.push_back(i);
  };
  const int elements_end = begin_[p] + num_elements_[p];
  for (int a = elements_end; a < elements_end + num_variables_[p]; ++a) visit(list_[a]);
  for (int a = begin_[p]; a < elements_end; ++a) {
    const int e = list_[a];
    for (int b = element_begin_[e]; b < element_end_[e]; ++b) visit(out.rows[b]);
    state_[e] = kAbsorbed;
  }
  element_end_[p] = out.rows.size();
  element_weight_[p] = weight;
  state_[p] = kElement;
}

// Rewrites the lists of i ∈ L_p and bounds its degree from above:
//   d_i ≤ |A_i \ L_p| + |L_p \ i| + Σ_{e ∈ E_i} |L_e \ L_p|
void Ordering::update_neighbor(int i, int p, int element_weight) {
  const int begin = begin_[i], middle = begin + num_elements_[i], end = middle + num_variables_[i];
  int to = begin, bound = element_weight - size_[i];
  for (int a = begin; a < middle; ++a) {
    const int e = list_[a];
    if (state_[e] != kElement) continue;
    bound += outside_[e];
    list_[to++] = e;
  }
  const int elements_end = to;
  to = middle;
  for (int a = middle; a < end; ++a) {
    const int j = list_[a];
    if (state_[j] != kVariable || mark_[j] == stamp_) continue;
    bound += size_[j];
    list_[to++] = j;
  }
  // p takes a place that has become free: that of an element it absorbed, or its own among the variables.
  const int num_variables = to - middle;
  if (elements_end == middle) {
    PATCHFIELD_ASSERT_HOT(to < end);
    list_[to] = list_[middle];
  } else if (elements_end + 1 < middle) {
    std::copy(list_.data() + middle, list_.data() + to, list_.data() + elements_end + 1);
  }
  list_[elements_end] = p;
  num_elements_[i] = elements_end + 1 - begin;
  num_variables_[i] = num_variables;
  take_from_bucket(i);
  put_in_bucket(i, std::min(bound, degree_[i] + element_weight - size_[i]));
}

void Ordering::minimum_degree(const BlockGraph& graph, Elimination& out) {
  const int n = graph.num_blocks();
  reset(graph);
  out.order.clear(), out.rows.clear();
  out.row_start.assign(1, 0);
  out.position.resize(n);
  int lowest = 0, left = bucket_.size() - 1;
  for (int k = 0; k < n; ++k) {
    while (bucket_[lowest] < 0) ++lowest;
    const int p = bucket_[lowest];
    take_from_bucket(p);
    gather_element(p, out);
    left -= size_[p];

    // |L_e \ L_p| for every element next to L_p, by taking away what they share.
    for (int b = element_begin_[p]; b < element_end_[p]; ++b) {
      const int i = out.rows[b];
      for (int a = begin_[i]; a < begin_[i] + num_elements_[i]; ++a) {
        const int e = list_[a];
        if (state_[e] != kElement) continue;
        if (outside_stamp_[e] != stamp_) outside_[e] = element_weight_[e], outside_stamp_[e] = stamp_;
        outside_[e] -= size_[i];
      }
    }
    for (int b = element_begin_[p]; b < element_end_[p]; ++b) {
      const int i = out.rows[b];
      update_neighbor(i, p, element_weight_[p]);
      if (degree_[i] > left - size_[i]) take_from_bucket(i), put_in_bucket(i, left - size_[i]);
      lowest = std::min(lowest, degree_[i]);
    }
    out.position[p] = k;
    out.order.push_back(p);
    out.row_start.push_back(out.rows.size());
  }
}

}  // namespace patchfield
