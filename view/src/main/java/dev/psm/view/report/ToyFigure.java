package dev.psm.view.report;

import com.google.errorprone.annotations.FormatMethod;
import dev.psm.core.mdp.ExactSolver;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.mdp.Programme;
import dev.psm.core.mdp.Rewards;
import dev.psm.core.mdp.ToyMdp;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The paper's Figure 2 as SVG: the two-state example, and the set of its visitations in (w₁, w₂)
 * for γ = 0.9, μ = (1, 0) and the reward 1 in s₀. Corners and optimum are computed, not drawn from
 * the paper.
 */
public final class ToyFigure {
  private static final double DISCOUNT = 0.9;
  private static final double ORIGIN_X = 455;
  private static final double ORIGIN_Y = 318;
  private static final double UNIT = 230;

  private static final String HEAD =
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 365" width="900" height="365"
           font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" font-size="15" fill="#1f2933">
      <title>The toy MDP and the simplex of its visitations</title>
      <defs>
        <marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7"
                orient="auto-start-reverse"><path d="M0 0 10 5 0 10z" fill="#52606d"/></marker>
        <marker id="gain" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="6.5"
                markerHeight="6.5" orient="auto"><path d="M0 0 10 5 0 10z" fill="#c2410c"/></marker>
      </defs>
      <rect width="900" height="365" fill="#ffffff"/>
      """;

  private static final String MDP_PANEL =
      """
      <g fill="none" stroke="#52606d" stroke-width="2" marker-end="url(#tip)">
        <path d="M137 158 Q195 106 251 156"/>
        <path d="M253 202 Q195 254 139 204"/>
        <path d="M84 158 C24 112 24 248 82 204"/>
        <path d="M306 158 C366 112 366 248 308 204"/>
      </g>
      <g fill="#e0ecff" stroke="#1d4ed8" stroke-width="2.5">
        <circle cx="112" cy="180" r="34"/><circle cx="278" cy="180" r="34"/>
      </g>
      <g text-anchor="middle">
        <g font-size="21" font-style="italic">
          <text x="112" y="187">s₀</text><text x="278" y="187">s₁</text>
        </g>
        <g font-style="italic">
          <text x="195" y="122">a₀</text><text x="195" y="249">a₀</text>
          <text x="24" y="186">a₁</text><text x="366" y="186">a₁</text>
        </g>
        <text x="195" y="300" font-size="14" fill="#52606d">a₀ swaps the states, a₁ stays</text>
        <text x="195" y="40" font-size="17" font-weight="bold">(a) the toy MDP</text>
        <text x="600" y="40" font-size="17" font-weight="bold">(b) its visitations in (w₁, w₂)</text>
        <text x="600" y="62" font-size="14" fill="#52606d">γ = 0.9, μ = (1, 0), reward 1 in s₀</text>
      </g>
      """;

  private ToyFigure() {}

  /** The figure, a complete SVG document. */
  public static String svg() {
    FiniteMdp toy = ToyMdp.of(DISCOUNT, 1, 0);
    double[] reward = Rewards.leaving(toy, new double[] {1, 0});
    double[] optimal = ExactSolver.solve(toy, reward, Programme.W).coordinates();
    List<ToyMdp.Corner> corners = ToyMdp.corners(toy);
    StringBuilder svg = new StringBuilder(HEAD).append(MDP_PANEL);
    axes(svg);
    svg.append("<polygon fill=\"#dbeafe\" stroke=\"#1d4ed8\" stroke-width=\"2.5\"")
        .append(" stroke-linejoin=\"round\" points=\"")
        .append(
            corners.stream()
                .map(c -> format("%.1f,%.1f", x(c.w1()), y(c.w2())))
                .collect(Collectors.joining(" ")))
        .append("\"/>\n");
    levels(svg);
    for (ToyMdp.Corner corner : corners) {
      corner(svg, corner, Math.hypot(corner.w1() - optimal[0], corner.w2() - optimal[1]) < 1e-9);
    }
    return svg.append("</svg>\n").toString();
  }

  private static void axes(StringBuilder svg) {
    svg.append("<g stroke=\"#52606d\" stroke-width=\"1.5\">\n");
    svg.append(
        format(
            "<path fill=\"none\" marker-start=\"url(#tip)\" marker-end=\"url(#tip)\""
                + " d=\"M%.1f %.1fV%.1fH%.1f\"/>\n",
            x(0), y(1.06), y(0), x(1.36)));
    svg.append(format("<path d=\"M%.1f %.1fv6M%.1f %.1fh-6\"/>\n</g>\n", x(1), y(0), x(0), y(0.9)));
    svg.append("<g fill=\"#52606d\" font-size=\"14\">\n");
    text(svg, x(1), y(0) + 22, "middle", "1");
    text(svg, x(0) - 11, y(0.9) + 5, "end", "0.9");
    text(svg, x(0) - 8, y(0) + 20, "middle", "0");
    svg.append("</g>\n<g font-style=\"italic\">\n");
    text(svg, x(1.36) + 8, y(0) + 5, "start", "w₁");
    text(svg, x(0) - 12, y(1.04), "end", "w₂");
    svg.append("</g>\n");
  }

  /** Level lines of the objective γ(w₁ − w₂)/(1 + γ) + const inside the triangle, and its rise. */
  private static void levels(StringBuilder svg) {
    svg.append("<g stroke=\"#93b4e8\" stroke-width=\"1.2\" stroke-dasharray=\"4 4\">\n");
    for (double level = -0.6; level < 0.85; level += 0.3) {
      double low = Math.max(0, level);
      // Where w₂ = w₁ − level meets the far edge γw₁ + w₂ = γ.
      double high = (DISCOUNT + level) / (1 + DISCOUNT);
      svg.append(
          format(
              "<path d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
              x(low), y(low - level), x(high), y(high - level)));
    }
    svg.append("</g>\n");
    svg.append(
        format(
            "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#c2410c\" stroke-width=\"2.5\""
                + " marker-end=\"url(#gain)\"/>\n",
            x(0.2), y(0.5), x(0.4), y(0.3)));
    svg.append("<g fill=\"#c2410c\" font-size=\"14\">\n");
    text(svg, x(0.4) + 4, y(0.3) + 16, "start", "rᵀΦ");
    svg.append("</g>\n");
  }

  private static void corner(StringBuilder svg, ToyMdp.Corner corner, boolean optimal) {
    double x = x(corner.w1());
    double y = y(corner.w2());
    svg.append(
        format(
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"%s\" stroke=\"#ffffff\""
                + " stroke-width=\"2\"/>\n",
            x, y, optimal ? "8" : "6", optimal ? "#c2410c" : "#1d4ed8"));
    String policies =
        corner.policies().stream()
            .map(p -> "(a%s, a%s)".formatted(subscript(p.get(0)), subscript(p.get(1))))
            .collect(Collectors.joining(" or "));
    if (optimal) {
      svg.append("<g fill=\"#c2410c\">\n");
      text(
          svg,
          x + 12,
          y - 34,
          "start",
          "optimum " + format("(%.0f, %.0f)", corner.w1(), corner.w2()));
      text(svg, x + 12, y - 14, "start", "π = " + policies);
      svg.append("</g>\n");
    } else if (corner.w2() > 0) {
      text(svg, x + 14, y - 4, "start", "π = " + policies);
    } else {
      text(svg, x + 10, y + 24, "start", "π = " + policies);
    }
  }

  private static String subscript(int digit) {
    return digit == 0 ? "₀" : "₁";
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
    svg.append(
        format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, text));
  }

  private static double x(double w1) {
    return ORIGIN_X + UNIT * w1;
  }

  private static double y(double w2) {
    return ORIGIN_Y - UNIT * w2;
  }

  @FormatMethod
  private static String format(String pattern, Object... arguments) {
    return String.format(Locale.ROOT, pattern, arguments);
  }
}
