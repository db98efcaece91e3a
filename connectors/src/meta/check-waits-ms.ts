/**
 * The waits before a container that is still being prepared is checked again. A photo is ready within seconds, a long video after minutes.
 * Every check takes a send of the rate limit, so later ones are rare.
 */
export const checkWaitsMs = [3_000, 7_000, 20_000, 30_000] as const
