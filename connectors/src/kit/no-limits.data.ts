/** Media rules without any limit. A manifest spreads this and then states only the limits that the platform has. */
export const noLimits = {
  bytesMin: null,
  bytesMax: null,
  pixelsMax: null,
  framePixelsMax: null,
  widthMin: null,
  widthMax: null,
  sideMin: null,
  sideMax: null,
  shortSideMax: null,
  ratioMin: null,
  ratioMax: null,
  secondsMin: null,
  secondsMax: null,
  framesMax: null,
  fpsMin: null,
  fpsMax: null,
  bitsPerSecondMax: null,
  pagesMax: null,
} as const

/** Text rules without any limit but the length. */
export const noTextLimits = {
  maxWithPhotos: null,
  linkCost: null,
  shortMentions: false,
  bytesMax: null,
  linksMax: null,
  hashtagsMax: null,
  mentionsMax: null,
  cashtagsMax: null,
  countedSettings: [],
} as const
