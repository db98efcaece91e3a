/** Media rules without any limit. A manifest spreads this and then states only the limits that the platform has. */
export const noLimits = {
  bytesMax: null,
  pixelsMax: null,
  widthMin: null,
  widthMax: null,
  ratioMin: null,
  ratioMax: null,
  secondsMin: null,
  secondsMax: null,
  pagesMax: null,
} as const
