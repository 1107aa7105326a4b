// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/model/geom_settings.h"

#include <gtest/gtest.h>

#include "patchfield/core/check.h"

namespace patchfield {
namespace {

/// The message of the InputError that parsing throws; empty if it throws none.
std::string complaint(std::string_view data) {
  try {
    parse_geom_settings(data, "text \"patchfield:pad\"");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ParseGeomSettings, ReadsEveryKey) {
  const GeomSettings s = parse_geom_settings(
      "compliant modulus=1e5 resolution=0.01 mu=1.0 hunt_crossley=5 relaxation_time=0.2 margin=1e-4 "
      "slab_thickness=2 hull",
      "text");
  EXPECT_TRUE(s.compliant);
  EXPECT_TRUE(s.hull);
  EXPECT_EQ(s.modulus, 1e5);
  EXPECT_EQ(s.resolution, 0.01);
  EXPECT_EQ(s.mu, 1.0);
  EXPECT_EQ(s.hunt_crossley, 5.0);
  EXPECT_EQ(s.relaxation_time, 0.2);
  EXPECT_EQ(s.margin, 1e-4);
  EXPECT_EQ(s.slab_thickness, 2.0);
}

TEST(ParseGeomSettings, WhatIsNotSaidStaysOpen) {
  const GeomSettings s = parse_geom_settings("  rigid  mu=0.6 ", "text");
  EXPECT_FALSE(s.compliant);
  EXPECT_FALSE(s.modulus.has_value());
  EXPECT_EQ(s.mu, 0.6);
}

TEST(ParseGeomSettings, ErrorsNameTheTextTheValueAndTheCure) {
  EXPECT_NE(complaint("compliant modulos=1e5").find("patchfield:pad"), std::string::npos);
  EXPECT_NE(complaint("compliant modulos=1e5").find("modulos"), std::string::npos);
  EXPECT_NE(complaint("compliant modulos=1e5").find("hunt_crossley=…"), std::string::npos) << "lists the known keys";
  EXPECT_NE(complaint("compliant modulus=-3").find("modulus = -3"), std::string::npos);
  EXPECT_NE(complaint("compliant modulus=0").find("positive"), std::string::npos);
  EXPECT_NE(complaint("compliant modulus=soft").find("number"), std::string::npos);
  EXPECT_NE(complaint("compliant modulus=1e5Pa").find("number"), std::string::npos);
  EXPECT_NE(complaint("compliant modulus=inf").find("finite"), std::string::npos);
  EXPECT_NE(complaint("compliant mu=nan").find("mu = nan"), std::string::npos);
  EXPECT_NE(complaint("compliant mu").find("needs a value"), std::string::npos);
  EXPECT_NE(complaint("compliant mu=1 mu=2").find("twice"), std::string::npos);
  EXPECT_NE(complaint("soft modulus=1").find("compliant or rigid"), std::string::npos);
  EXPECT_NE(complaint("").find("compliant or rigid"), std::string::npos);
  EXPECT_EQ(complaint("compliant mu=0 margin=0 relaxation_time=0"), "");
}

TEST(GeomSettingsText, IsReadBackToTheLastBit) {
  GeomSettings said{.compliant = true, .hull = true};
  said.modulus = 1.0 / 3.0;
  said.resolution = 1e-300;
  said.margin = 0.0;
  said.slab_thickness = 2.0;
  said.foundation_depth = 0.1;
  said.mu = 0.7;
  said.relaxation_time = 0.2;
  said.hunt_crossley = 1e17;
  said.volume = "/models of mine/50%.vtk";
  const GeomSettings back = parse_geom_settings(to_text(said), "text");
  EXPECT_EQ(back.compliant, said.compliant);
  EXPECT_EQ(back.hull, said.hull);
  EXPECT_EQ(back.volume, said.volume);
  for (const auto value : {&GeomSettings::modulus, &GeomSettings::resolution, &GeomSettings::margin,
                           &GeomSettings::slab_thickness, &GeomSettings::foundation_depth, &GeomSettings::mu,
                           &GeomSettings::relaxation_time, &GeomSettings::hunt_crossley})
    EXPECT_EQ(back.*value, said.*value);
  EXPECT_EQ(to_text(GeomSettings{}), "rigid");
}

}  // namespace
}  // namespace patchfield
