/** What floats above the page: menus, selects, popovers. */
export const popupLook = [
  'rounded-card border border-line bg-surface p-1 text-ink shadow-float outline-none',
  'transition-[opacity,translate] duration-[180ms] data-ending-style:duration-[120ms]',
  'data-starting-style:translate-y-1 data-starting-style:opacity-0 data-ending-style:opacity-0',
].join(' ')

/** A row of a menu or a list of choices. */
export const rowLook = [
  'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-2.5 text-base outline-none select-none pointer-coarse:min-h-11',
  'data-highlighted:bg-hover data-disabled:cursor-default data-disabled:opacity-55 [&_svg]:size-[18px] [&_svg]:shrink-0',
].join(' ')
