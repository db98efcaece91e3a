import type { BrowserContext } from 'playwright-core'

type Look = {
  name: string
  sky: readonly [string, string]
  hill: string
  tower: string
  sun: string
  sunAt: readonly [number, number]
}

const looks: readonly Look[] = [
  {
    name: 'tower-at-dawn.png',
    sky: ['#f7c59f', '#8fb8de'],
    hill: '#7a9e7e',
    tower: '#4f4a45',
    sun: '#ffe8c2',
    sunAt: [250, 300],
  },
  {
    name: 'tower-at-noon.png',
    sky: ['#dff1ff', '#5aa9e6'],
    hill: '#8ab17d',
    tower: '#6d5f53',
    sun: '#fff7d6',
    sunAt: [610, 120],
  },
  {
    name: 'tower-at-dusk.png',
    sky: ['#e56b6f', '#355070'],
    hill: '#3f4a3c',
    tower: '#241f21',
    sun: '#ffb4a2',
    sunAt: [560, 320],
  },
]

function draw({ sky: [low, high], hill, tower, sun, sunAt: [x, y] }: Look): string {
  // Without the viewport, a phone draws a page that is wider than its window.
  return `<!doctype html><meta name="viewport" content="width=device-width"><body style="margin:0"><svg width="800" height="600" viewBox="0 0 800 600" xmlns="http://www.w3.org/2000/svg">
    <defs><linearGradient id="sky" x1="0" y1="1" x2="0" y2="0"><stop offset="0" stop-color="${low}"/><stop offset="1" stop-color="${high}"/></linearGradient></defs>
    <rect width="800" height="600" fill="url(#sky)"/><circle cx="${x}" cy="${y}" r="46" fill="${sun}"/>
    <path d="M0 470 Q180 390 380 450 T800 420 V600 H0Z" fill="${hill}"/>
    <g fill="${tower}"><path d="M340 180 l60 -110 l60 110z"/><path d="M348 180h104v300h-104z"/></g>
    <path d="M376 220h48v70h-48z" fill="${low}" opacity=".75"/><path d="M400 232c-12 0-16 12-16 26l-6 12h44l-6-12c0-14-4-26-16-26z" fill="${tower}"/>
    <path d="M0 520 Q260 460 520 520 T800 500 V600 H0Z" fill="${hill}" opacity=".55"/></svg>`
}

/** Three pictures of a bell tower, drawn here: pictures of our own screens need no photographs of others. */
export async function drawPictures(context: BrowserContext): Promise<{ name: string; mimeType: string; buffer: Buffer }[]> {
  const page = await context.newPage()
  await page.setViewportSize({ width: 800, height: 600 })
  const pictures: { name: string; mimeType: string; buffer: Buffer }[] = []
  for (const look of looks) {
    await page.setContent(draw(look))
    pictures.push({ name: look.name, mimeType: 'image/png', buffer: await page.screenshot() })
  }
  await page.close()
  return pictures
}
