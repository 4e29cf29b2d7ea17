/// Performance portability as a number.
///
/// Application efficiency of a program on a platform is its rate there over the best rate that any program, backend or
/// setting is known to reach there. Phi is the harmonic mean of the efficiencies over a set of platforms, and 0 where
/// the set holds a platform on which the program does not run.
/// Source: Pennycook, Sewall, Lee, A Metric for Performance Portability, PMBS 2016; LiGen, FGCS 2024, eq. 3 and 4.
#pragma once
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace quarry::bench {

/// A measured rate, in any unit that grows with speed.
struct Rate {
  std::string platform;
  std::string program;  ///< "cuda"; "cuda, tuned"
  double rate = 0;
};

/// Efficiency of a program by platform, for the platforms on which it has a rate.
inline std::map<std::string, double> efficiencies(const std::vector<Rate>& rates, const std::string& program) {
  std::map<std::string, double> best, own, efficiency;
  for (const Rate& rate : rates) {
    best[rate.platform] = std::max(best[rate.platform], rate.rate);
    if (rate.program == program) own[rate.platform] = std::max(own[rate.platform], rate.rate);
  }
  for (const auto& [platform, rate] : own) efficiency[platform] = rate / best[platform];
  return efficiency;
}

/// Phi over `platforms`; 0 where there are none.
inline double portability(const std::map<std::string, double>& efficiency, const std::set<std::string>& platforms) {
  double sum = 0;
  for (const std::string& platform : platforms) {
    const auto found = efficiency.find(platform);
    if (found == efficiency.end() || found->second <= 0) return 0;
    sum += 1 / found->second;
  }
  return platforms.empty() ? 0 : platforms.size() / sum;
}

}  // namespace quarry::bench
