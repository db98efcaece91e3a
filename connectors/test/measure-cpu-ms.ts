/** The processor time of some work, in milliseconds: the least of several runs, so that a busy machine does not fail a test. */
export function measureCpuMs(work: () => unknown): number {
  const runs = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...runs)
}
