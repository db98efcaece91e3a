/**
 * The waits before a container that is still being prepared is checked again. A text or a photo is ready within seconds, a long video after
 * minutes. Every check takes a send of the rate limit, so later ones are rare.
 */
export const checkWaitsMs = [2_000, 3_000, 5_000, 10_000, 20_000, 30_000] as const
