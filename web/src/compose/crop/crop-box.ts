/** Width and height in pixels. */
export type Size = { width: number; height: number }
export type Box = Size & { left: number; top: number }

/** Which part of a picture is kept: its shape, how large it is, and where it is in the room that is left. All but `ratio` from 0 to 1. */
export type CropChoice = { ratio: number; scale: number; x: number; y: number }

/** The part of a picture that a choice means, in whole pixels inside of it. */
export function cropBox(picture: Size, { ratio, scale, x, y }: CropChoice): Box {
  const isWider = ratio >= picture.width / picture.height
  const widest = isWider ? picture.width : picture.height * ratio
  const width = clamp(Math.round(widest * scale), picture.width)
  const height = clamp(Math.round(width / ratio), picture.height)
  return {
    width,
    height,
    left: Math.round((picture.width - width) * x),
    top: Math.round((picture.height - height) * y),
  }
}

/** Where the box is after it was dragged by some pixels of the picture. */
export function movedBy(picture: Size, choice: CropChoice, by: { x: number; y: number }): CropChoice {
  const box = cropBox(picture, choice)
  const move = (at: number, pixels: number, room: number) => (room <= 0 ? at : Math.min(1, Math.max(0, at + pixels / room)))
  return {
    ...choice,
    x: move(choice.x, by.x, picture.width - box.width),
    y: move(choice.y, by.y, picture.height - box.height),
  }
}

function clamp(value: number, max: number): number {
  return Math.min(max, Math.max(1, value))
}
