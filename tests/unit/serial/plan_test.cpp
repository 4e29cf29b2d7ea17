/// The plan of a query set: its limits, what queries share, signatures and rarity.
#include "match/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "chemistry/predicates.hpp"
#include "match/planning/decided.hpp"
#include "match/planning/rarity.hpp"
#include "match/planning/signature.hpp"
#include "support/molecules/match_cases.hpp"
#include "support/shapes.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::match {
namespace {

using test::query_set;

Pattern path(Index num_atoms) { return test::pattern_of_shape(test::chain(num_atoms)); }

/// What a plan with these options is refused for; empty where it is not.
template <class Error>
std::string refusal(const QuerySet& queries, const Options& options = {}) {
  return test::message_of<Error>([&] { std::ignore = make_plan(queries, options); });
}

QuerySet smarts(const std::vector<std::string>& texts) {
  QuerySet queries = compile_queries(texts);
  EXPECT_TRUE(queries.rejected.empty());
  return queries;
}

TEST(PlanLimits, AtomsOfAQuery) {
  for (const Index num_atoms : {kMaxPatternAtoms - 1, kMaxPatternAtoms}) {
    const Plan plan = make_plan(query_set({path(num_atoms)}), {});
    EXPECT_EQ(plan.max_pattern_atoms, num_atoms);
    EXPECT_EQ(plan.view().query(0).num_atoms, num_atoms);
  }
  const auto message = refusal<CapacityError>(query_set({path(3), path(kMaxPatternAtoms + 1)}));
  EXPECT_NE(message.find("query 2"), std::string::npos) << message;
  EXPECT_NE(message.find(std::to_string(kMaxPatternAtoms)), std::string::npos) << message;
  EXPECT_NE(message.find(std::to_string(kMaxPatternAtoms + 1)), std::string::npos) << message;
  EXPECT_NE(refusal<InputError>(query_set({path(1), Pattern{}})).find("query 2"), std::string::npos);
}

TEST(PlanLimits, AnEmptySetIsRefused) { EXPECT_NE(refusal<InputError>({}).find("no query"), std::string::npos); }

/// Cycles of molecules are looked for where a query, or a `$()` in it, has a bond on one. Kinds of atoms and bonds know of
/// rings anyway.
TEST(Plan, KnowsWhetherAQueryHasRingBonds) {
  const auto has_ring_bonds = [](const char* text) { return make_plan(smarts({text}), {}).has_ring_bonds; };
  for (const char* const text : {"CC(=O)N", "[R]", "[r5]C", "C@C", "[$(C=O)]", "C.C"})
    EXPECT_FALSE(has_ring_bonds(text)) << text;
  for (const char* const text : {"C1CC1", "[$(C1CC1)]", "[!$(*C1CCCC1)]", "C.C1CC1"})
    EXPECT_TRUE(has_ring_bonds(text)) << text;
  const Plan four = make_plan(smarts({"C1CCC1"}), {});
  EXPECT_TRUE(four.has_cycles && four.has_ring_bonds);
}

TEST(PlanLimits, Refine) {
  const QuerySet queries = query_set({path(3)});
  Options options;
  for (const int radius : {0, 1, kMaxRefine}) {
    options.refine = radius;
    EXPECT_EQ(make_plan(queries, options).view().refine, radius);
  }
  for (const int radius : {-1, kMaxRefine + 1}) {
    options.refine = radius;
    const auto message = refusal<InputError>(queries, options);
    EXPECT_NE(message.find("refine"), std::string::npos) << message;
    EXPECT_NE(message.find("not " + std::to_string(radius)), std::string::npos) << message;
  }
}

TEST(PlanLimits, MatchesAndBudget) {
  const QuerySet queries = query_set({path(3)});
  for (const Index value : {Index{0}, Index{1}, std::numeric_limits<Index>::max()}) {
    Options options;
    options.max_matches = options.pair_budget = value;
    EXPECT_NO_THROW(std::ignore = make_plan(queries, options));
  }
  Options matches, budget;
  matches.max_matches = budget.pair_budget = -1;
  EXPECT_NE(refusal<InputError>(queries, matches).find("max_matches"), std::string::npos);
  EXPECT_NE(refusal<InputError>(queries, budget).find("pair_budget"), std::string::npos);
}

TEST(PlanLimits, BondedAtomsShareAComponentGroup) {
  Pattern pattern = path(2);
  pattern.component_group = {0, 0};
  EXPECT_TRUE(make_plan(query_set({pattern}), {}).has_groups);
  EXPECT_FALSE(make_plan(query_set({path(2)}), {}).has_groups);
  for (const std::vector<std::int32_t>& groups : {std::vector<std::int32_t>{0, 1}, {0, -1}}) {
    pattern.component_group = groups;
    EXPECT_NE(refusal<InputError>(query_set({path(1), pattern})).find("query 2"), std::string::npos);
  }
}

/// Sizes of everything that queries can share.
std::vector<Index> shared_sizes(const Plan& plan) {
  const PlanView view = plan.view();
  return {std::ssize(plan.predicates),
          view.num_plain,
          view.num_recursive,
          view.num_programs,
          view.demands.size(),
          view.num_atom_classes,
          view.num_plain_classes,
          view.num_signatures,
          view.num_refined_classes,
          view.num_bond_relations,
          std::ssize(plan.rules.demands),
          std::ssize(plan.rules.programs),
          std::ssize(plan.rules.class_demands),
          std::ssize(plan.rules.class_list),
          view.features.size(),
          view.recursive_demands.size()};
}

TEST(PlanSharing, TheSameQueryTwiceAddsNothing) {
  for (const char* text : {"CC(=O)Nc1ccccc1", "[$([#7;+]),$(C=O)]~[!$(N)]", "(C.C).N", "C1CC1"}) {
    for (const int radius : {0, 1, 3}) {
      Options options;
      options.refine = radius;
      const Plan once = make_plan(smarts({text}), options), twice = make_plan(smarts({text, text}), options);
      EXPECT_EQ(shared_sizes(once), shared_sizes(twice)) << text;
      EXPECT_EQ(once.view().num_queries, 1);
      EXPECT_EQ(twice.view().num_queries, 2);
      EXPECT_EQ(twice.view().patterns.size(), twice.view().num_recursive + 2);
    }
  }
}

TEST(PlanSharing, LikeAtomsAreOneClass) {
  Options options;
  options.refine = 0;
  // The two ends of propane look alike, the middle has two neighbours.
  const Plan propane = make_plan(smarts({"CCC"}), options);
  EXPECT_EQ(std::ssize(propane.predicates), 1);
  EXPECT_EQ(propane.view().num_atom_classes, 2);
  EXPECT_EQ(propane.view().num_plain_classes, 2);
  EXPECT_EQ(std::ssize(propane.rules.demands), 2);
  EXPECT_EQ(propane.view().demands.size(), 0);
  EXPECT_EQ(propane.rules.classes[0].ring_system, RingSystem{});
  // Butane adds an atom with two carbon neighbours, as the middle of propane has: nothing new.
  EXPECT_EQ(shared_sizes(make_plan(smarts({"CCC", "CCCC"}), options)), shared_sizes(propane));
  // An atom of a ring of such atoms is another class: its bonds lie on a cycle, in a ring system of three.
  const Plan with_ring = make_plan(smarts({"CCC", "C1CC1"}), options);
  const PlanView ring = with_ring.view();
  EXPECT_EQ(ring.num_atom_classes, 3);
  EXPECT_EQ(with_ring.rules.classes[2].ring_system, (RingSystem{3, 1}));
  EXPECT_EQ(ring.num_bond_relations, 2);
}

TEST(PlanSharing, BodiesAreSharedBetweenQueriesAndNested) {
  const Plan plan = make_plan(smarts({"[$(NC=O)]", "C[$(NC=O)]", "[$(C[$(NC=O)])]"}), {});
  const PlanView view = plan.view();
  EXPECT_EQ(view.num_recursive, 2);
  EXPECT_EQ(view.num_programs, 2);
}

/// Patterns of which the environment of an atom tells where they occur.
TEST(PlanSharing, StarsOfLikeOrExclusiveLeavesAreDecided) {
  const auto pattern = [](const char* text) { return smarts({text}).accepted.front().pattern; };
  for (const char* text :
       {"C", "CO", "C(=O)O", "C(=O)(N)N", "C(F)(Cl)Br", "N(C)(C)(C)C", "[#6](=[O,S])-[O,S]", "C(O)N"}) {
    EXPECT_TRUE(is_decided_star(pattern(text), 0)) << text;
  }
  // Like in part; five like leaves, of which demands count four; no star; no star around the first atom; two parts.
  for (const char* text : {"C([O,N])O", "C(~O)=O", "S(F)(F)(F)(F)F", "CCO", "OC=O", "C.O", "C1CC1"}) {
    EXPECT_FALSE(is_decided_star(pattern(text), 0)) << text;
  }
  EXPECT_TRUE(is_decided_star(pattern("OC=O"), 1));
}

TEST(PlanSharing, DecidedBodiesAreNotSearched) {
  const Plan plain = make_plan(smarts({"[$(C(=O)O),$(N[$([#6]=S)]),!$([#7])]", "[C;$(C=[O,S])]N"}), {});
  EXPECT_EQ(plain.view().num_recursive, 1) << "the nitrogen with a neighbour that has a body of its own";
  EXPECT_EQ(plain.view().num_programs, 1);
  EXPECT_EQ(std::ssize(plain.rules.programs), 2);
  // The first atom of the first query, and the nitrogen of the second, which has a neighbour with a `$()`.
  EXPECT_EQ(plain.view().num_plain_classes, plain.view().num_atom_classes - 2);
}

TEST(PlanOrders, CountsUseTheSymmetriesOfAQuery) {
  Options counting;
  counting.mode = Mode::count;
  // The order that costs least; another may be used where its first atom is rarer.
  const auto root = [](const Plan& plan) { return *std::ranges::min_element(plan.arrays.roots, {}, &Root::cost); };
  const auto embeddings_at_once = [&](const std::string& text) {
    const Plan plan = make_plan(smarts({text}), counting);
    const Root first = root(plan);
    return std::tuple(Index{first.num_equivalent}, Index{first.num_independent});
  };
  EXPECT_EQ(embeddings_at_once("[#6]1~[#6]~[#6]~[#6]~[#6]~[#6]~1"), std::tuple(12, 1));
  EXPECT_EQ(embeddings_at_once("[#6]~[#6]~[#6]~[#6]~[#6]~[#6]"), std::tuple(2, 2));  // from the middle
  EXPECT_EQ(embeddings_at_once("FC(F)(F)Cl"), std::tuple(1, 3));                     // the fluorines together
  EXPECT_EQ(embeddings_at_once("CN"), std::tuple(1, 1));
  EXPECT_EQ(embeddings_at_once("C"), std::tuple(1, 1));
  EXPECT_EQ(embeddings_at_once("C.C.C"), std::tuple(1, 2));
  // Component groups, directions and too many atoms: no symmetry is used.
  EXPECT_EQ(embeddings_at_once("(C).(C).(C)"), std::tuple(1, 1));
  EXPECT_EQ(embeddings_at_once("C1CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC1"), std::tuple(64, 1));
  EXPECT_EQ(embeddings_at_once("C1CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC1"), std::tuple(1, 1));
  // Ten branches, all ends first: their symmetries are found although they are many.
  std::string ends, branches = "C";
  for (int i = 10; i < 20; ++i) {
    ends += "C%" + std::to_string(i) + ".";
    branches += "(C%" + std::to_string(i) + ")";
  }
  EXPECT_EQ(embeddings_at_once(ends + branches), std::tuple(604'800, 3));

  Pattern turning = test::pattern_of_shape(test::cycle(3));
  for (std::uint32_t i = 0; i < 3; ++i)
    turning.bonds[i] = {i, (i + 1) % 3, std::uint64_t{1} << bond_kind(kDativeRight, true)};
  EXPECT_EQ(root(make_plan(query_set({turning}), counting)).num_equivalent, 1U);

  // Stereo marks where they are honoured, and every other mode.
  const QuerySet marked = smarts({"C[C@](C)(C)C"});
  EXPECT_GT(root(make_plan(marked, counting)).num_independent, 1);
  counting.chirality = true;
  EXPECT_EQ(root(make_plan(marked, counting)).num_independent, 1);
  for (const Mode mode : {Mode::first, Mode::all, Mode::unique}) {
    Options options;
    options.mode = mode;
    const Root plain = root(make_plan(smarts({"[#6]1~[#6]~[#6]~1"}), options));
    EXPECT_EQ(std::tuple(plain.num_independent, plain.num_equivalent, plain.cost), std::tuple(1, 1, 1));
  }
}

TEST(PlanLayout, MasksFollowOneAnother) {
  for (const int radius : {0, 1}) {
    Options options;
    options.refine = radius;
    const Plan plan = make_plan(smarts({"[$(NC=O)]CC1CC1", "C"}), options);
    const PlanView view = plan.view();
    EXPECT_EQ(view.atom_class_mask(), view.num_plain);
    EXPECT_GE(view.recursive_mask(), view.atom_class_mask() + view.num_atom_classes);
    EXPECT_EQ(view.recursive_mask(), kWordBits * view.row_words());
    EXPECT_EQ(view.program_mask(), view.recursive_mask() + view.num_recursive);
    EXPECT_EQ(view.signature_mask(), view.program_mask() + view.num_programs);
    EXPECT_EQ(view.refined_class_mask(), view.signature_mask() + view.num_signatures);
    EXPECT_EQ(view.num_masks(), view.refined_class_mask() + view.num_refined_classes);
    EXPECT_EQ(view.num_refined_classes > 0, radius > 0);
    Index refined = 0;
    for (const SearchLevel& level : view.levels) {
      EXPECT_LT(level.mask, view.num_masks());
      refined += level.mask >= view.refined_class_mask() ? 1 : 0;
    }
    EXPECT_EQ(refined, radius == 0 ? 0 : view.levels.size() - 4) << "those of the atom alone and of the $() are not";
    for (const RefinedClass& refined_class : view.refined_classes) {
      EXPECT_LT(refined_class.mask, view.recursive_mask());
      EXPECT_GE(refined_class.signature, view.signature_mask());
      EXPECT_LT(refined_class.signature, view.refined_class_mask());
    }
  }
}

TEST(PlanLayout, EveryMaskHasABitOfItsStrip) {
  for (Index strip = 0; strip < 3; ++strip) {
    std::set<std::pair<Index, Index>> bits;
    for (Index mask = strip * kStripBits; mask < (strip + 1) * kStripBits; ++mask) {
      EXPECT_EQ(word_of_mask(mask) / kStripWords, strip);
      EXPECT_LT(bit_of_mask(mask), kWordBits);
      bits.emplace(word_of_mask(mask), bit_of_mask(mask));
    }
    EXPECT_EQ(std::ssize(bits), kStripBits);
  }
}

TEST(PlanLayout, KindRowHasABitPerPredicateThatHolds) {
  const Plan plan = make_plan(smarts({"[#6,#7][#8]", "[+]", "[!#6]"}), {});
  for (const int element : {6, 7, 8}) {
    const AtomKind kind = test::plain_atom(element);
    const auto row = plan.kind_row(kind);
    ASSERT_EQ(std::ssize(row), plan.predicate_words() + plan.rules.words());
    for (std::size_t p = 0; p < plan.predicates.size(); ++p) {
      EXPECT_EQ((row[p / 64] >> (p % 64) & 1) != 0, evaluate(plan.predicates[p], kind)) << p;
    }
    for (std::size_t a = 0; a < plan.rules.demands.size(); ++a) {
      const std::uint32_t predicate = plan.rules.demands[a].mask;
      const std::uint64_t word = row[plan.predicate_words() + a / 64];
      EXPECT_EQ((word >> (a % 64) & 1) != 0, evaluate(plan.predicates[predicate], kind)) << a;
    }
  }
}

/// Number of the label of one element.
std::uint8_t label_of(int element) {
  const auto& labels = signature_labels();
  const std::int16_t value = element;
  return std::ranges::find(labels, AtomTest{AtomProperty::element, value, value}) - labels.begin();
}

TEST(SignatureFeatures, ByHand) {
  // C - N - O, and one atom alone
  Pattern pattern = path(4);
  pattern.bonds.pop_back();
  pattern.atoms[0] = test::element_is(6);
  pattern.atoms[1] = test::element_is(7);
  pattern.atoms[2] = test::element_is(8);
  constexpr std::uint8_t kAny = 0;
  const std::uint8_t carbon = label_of(6), nitrogen = label_of(7), oxygen = label_of(8);
  using Features = std::vector<std::vector<Feature>>;

  EXPECT_EQ(signature_features(pattern, 0), Features(4));
  const Features near = {{{1, kAny, 1}, {1, nitrogen, 1}},
                         {{1, kAny, 2}, {1, carbon, 1}, {1, oxygen, 1}},
                         {{1, kAny, 1}, {1, nitrogen, 1}},
                         {}};
  EXPECT_EQ(signature_features(pattern, 1), near);
  // A ball of radius 2 holds that of radius 1: two atoms around each end, and only the oxygen (the carbon) is news.
  const Features far = {{{1, kAny, 1}, {1, nitrogen, 1}, {2, kAny, 2}, {2, oxygen, 1}},
                        {{1, kAny, 2}, {1, carbon, 1}, {1, oxygen, 1}},
                        {{1, kAny, 1}, {1, nitrogen, 1}, {2, kAny, 2}, {2, carbon, 1}},
                        {}};
  EXPECT_EQ(signature_features(pattern, 2), far);
  EXPECT_EQ(signature_features(pattern, kMaxRefine), far);
}

TEST(SignatureFeatures, StopAtTheLargestCount) {
  for (const Index leaves : {254, 255, 256, 300}) {
    const auto features = signature_features(test::pattern_of_shape(test::star(leaves)), 2);
    ASSERT_EQ(features[0].size(), 1U);
    EXPECT_EQ(Index{features[0][0].threshold}, std::min<Index>(leaves, 255));
  }
}

TEST(Rarity, IsAShareOfAllAtoms) {
  AtomExpression nothing;
  nothing.negated = true;
  EXPECT_EQ(typical_share(nothing), 0);
  EXPECT_EQ(typical_share(test::element_is(92)), 0);
  EXPECT_NEAR(typical_share(AtomExpression{}), 1, 1e-9);
  const double carbon = typical_share(test::element_is(6)), bromine = typical_share(test::element_is(35));
  EXPECT_GT(bromine, 0);
  EXPECT_LT(bromine, carbon);
  EXPECT_LT(carbon, 1);
  AtomExpression not_carbon = test::element_is(6);
  not_carbon.negated = true;
  EXPECT_NEAR(carbon + typical_share(not_carbon), 1, 1e-9);
}

}  // namespace
}  // namespace quarry::match
