import { availableParallelism, loadavg } from 'node:os'

const slownessMax = 8
const calibrationSteps = 20_000_000
/** What the calibration takes on the machine on which the bounds of the tests were chosen. */
const calibrationMs = 32

/**
 * How much slower this machine is now than the one on which the bounds on time were chosen, with nothing else to do: because of its processor,
 * or because of other work. Bounds on time are multiplied by it.
 */
export function measureSlowness(): number {
  const [lastMinute = 0] = loadavg()
  return Math.min(slownessMax, Math.max(1, lastMinute / availableParallelism(), measureCalibrationMs() / calibrationMs))
}

function measureCalibrationMs(): number {
  const beganMs = performance.now()
  let sum = 0
  for (let step = 0; step < calibrationSteps; step++) sum = Math.imul(sum + step, 31)
  // The sum is used, so that the loop is not left out.
  return sum === 0.5 ? 0 : performance.now() - beganMs
}
