/// Boxes: around points, read from files that are right and wrong, and how wide their maps are.
#include <gtest/gtest.h>

#include "quarry/dock.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::test {
namespace {

using dock::Box;

TEST(DockBox, AroundPoints) {
  const std::vector<Point> points = {{1, 2, 3}, {-1, 5, 3}, {0, 3, 3}};
  EXPECT_EQ(dock::box_around(points), (Box{{0, 3.5, 3}, {18, 19, 16}}));
  EXPECT_EQ(dock::box_around(points, 0), (Box{{0, 3.5, 3}, {2, 3, 0}}));
  EXPECT_EQ(dock::box_around(std::span(points).first(1), 0.5), (Box{{1, 2, 3}, {1, 1, 1}}));
  EXPECT_THROW((void)dock::box_around({}), InputError);
}

/// The box of a file with this content.
Box box_of(const std::string& content) {
  const TemporaryFolder folder;
  return dock::read_box(folder.write("box.json", content));
}

TEST(DockBox, OfAFile) {
  const Box box = {{1.5, -2, 0}, {20, 19.5, 0.1}};
  EXPECT_EQ(box_of(R"({"center": [1.5, -2, 0], "size": [20, 19.5, 1e-1]})"), box);
  EXPECT_EQ(box_of("\xEF\xBB\xBF{\"id\": \"x\", \"size\": [20, 19.5, 0.1],\r\n\"center\": [1.5, -2, 0], \"z\": null}"),
            box);
}

TEST(DockBox, WhatIsWrongWithAFile) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "line 1 is not JSON"},
      {"{\n\"center\": [1, 2, 3],\n\"size\" [1, 2, 3]}", "line 3 is not JSON"},
      {R"({"center": [1, 2, 3], "size": [1e999, 2, 3]})", "too large"},
      {"[1, 2, 3]", "has no \"center\" and \"size\""},
      {R"({"size": [1, 2, 3]})", "has no \"center\""},
      {R"({"center": [1, 2, 3]})", "has no \"size\""},
      {R"({"center": [1, 2], "size": [1, 2, 3]})", "\"center\" must be three numbers"},
      {R"({"center": [1, 2, 3], "size": [1, 2, "3"]})", "\"size\" must be three numbers"},
      {R"({"center": "1,2,3", "size": [1, 2, 3]})", "\"center\" must be three numbers"},
      {R"({"center": [1, 2, 3], "size": [1, 0, 3]})", "one is 0"},
      {R"({"center": [1, 2, 3], "size": [1, 2, -3.5]})", "one is -3.5"},
  };
  for (const auto& [content, reason] : cases) {
    const std::string message = message_of<InputError>([&text = content] { (void)box_of(text); });
    EXPECT_NE(message.find(reason), std::string::npos) << content << ": " << message;
    EXPECT_NE(message.find("box.json"), std::string::npos) << message;
  }
  EXPECT_THROW((void)box_of(std::string((1 << 20) + 1, ' ')), InputError);
  EXPECT_THROW((void)dock::read_box("/no/such/box.json"), InputError);
}

TEST(DockBox, MapsOfMoreThanEightMillionCellsAreWider) {
  const auto spacing_of = [](double x, double y, double z) { return dock::grid_spacing({{1, 2, 3}, {x, y, z}}); };
  EXPECT_EQ(spacing_of(0.1, 0.1, 0.1), dock::kGridSpacing);
  EXPECT_EQ(spacing_of(25, 25, 25), dock::kGridSpacing);
  EXPECT_EQ(spacing_of(75, 75, 75), dock::kGridSpacing) << "200 cells along each axis";
  EXPECT_GT(spacing_of(75.001, 75, 75), dock::kGridSpacing);
  EXPECT_DOUBLE_EQ(spacing_of(150, 150, 150), 2 * dock::kGridSpacing);
  EXPECT_DOUBLE_EQ(spacing_of(37.5, 75, 150), dock::kGridSpacing) << "the volume counts";
}

}  // namespace
}  // namespace quarry::test
