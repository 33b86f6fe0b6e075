/** The value that a Student's t of so many degrees of freedom exceeds, up or down, with a likelihood of 5 %. */
export function quantileOfT(degrees: number): number {
  if (degrees <= 0) return Number.POSITIVE_INFINITY;
  let [low, high] = [0, 1];
  while (tailsOfT(high, degrees) > TAILS) high *= 2;
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2;
    if (tailsOfT(middle, degrees) > TAILS) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The same of a normal distribution, to which it comes with many degrees. */
export const QUANTILE_OF_NORMAL = 1.959963984540054;

const TAILS = 0.05;
/** Halves the interval down to the last bit of a number. */
const BISECTIONS = 60;

/** How likely it is to be further from zero than `value`. */
const tailsOfT = (value: number, degrees: number): number => betaShare(degrees / (degrees + value * value), degrees / 2, 0.5);

/** The regularized incomplete beta function, by the continued fraction that converges on its side of the mean. */
function betaShare(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  return x < (a + 1) / (a + b + 2) ? (front * continuedFraction(x, a, b)) / a : 1 - (front * continuedFraction(1 - x, b, a)) / b;
}

const TERMS = 300;
const SMALLEST = 1e-300;

/** Lentz's way, with every second term of each sign. */
function continuedFraction(x: number, a: number, b: number): number {
  const guard = (value: number): number => (Math.abs(value) < SMALLEST ? SMALLEST : value);
  let c = 1;
  let d = 1 / guard(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= TERMS; m++) {
    const terms = [(m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)), (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))];
    const before = result;
    for (const term of terms) {
      d = 1 / guard(1 + term * d);
      c = guard(1 + term / c);
      result *= d * c;
    }
    if (Math.abs(result - before) <= Math.abs(result) * Number.EPSILON) break;
  }
  return result;
}

/** Coefficients of Stirling's series: B(2k) / (2k (2k − 1)). */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360];

/** Stirling's series is exact to the last digits from 12 on; smaller values are led up to there. */
function logGamma(value: number): number {
  if (value < 12) return logGamma(value + 1) - Math.log(value);
  const series = STIRLING.reduce((sum, factor, index) => sum + factor / value ** (2 * index + 1), 0);
  return (value - 0.5) * Math.log(value) - value + 0.5 * Math.log(2 * Math.PI) + series;
}
