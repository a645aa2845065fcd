import { SIDE } from './messages.mjs'

const GLYPHS = `
 ###    #    ###   ###     #  #####   ##  #####  ###   ### 
#   #  ##   #   # #   #   ##  #      #        # #   # #   #
#  ##   #       #     #  # #  ####  #        #  #   # #   #
# # #   #      #    ##  #  #      # ####    #    ###   ####
##  #   #     #       # #####     # #   #   #   #   #     #
#   #   #    #    #   #    #  #   # #   #   #   #   #    # 
 ###   ###  #####  ###     #   ###   ###    #    ###   ##  `.slice(1).split('\n')

/**
 * A digit somewhere in the picture, in a brightness of its own, with dots that are missing and noise over all.
 *
 * @param {number} digit
 * @param {() => number} random
 */
export function draw(digit, random) {
  const left = Math.floor(random() * (SIDE - 4))
  const top = Math.floor(random() * (SIDE - 6))
  const brightness = 120 + random() * 100
  return Uint8Array.from({ length: SIDE * SIDE }, (_, i) => {
    const [x, y] = [(i % SIDE) - left, Math.floor(i / SIDE) - top]
    const ink = x >= 0 && x < 5 && GLYPHS[y]?.[digit * 6 + x] === '#' && random() > 0.06
    return (ink ? brightness : 0) + random() * 35
  })
}

/**
 * Pictures side by side, as text.
 *
 * @param {readonly ArrayLike<number>[]} pictures of numbers from 0 to 1
 */
export function asText(pictures) {
  const row = (/** @type {ArrayLike<number>} */ picture, /** @type {number} */ y) =>
    Array.from({ length: SIDE }, (_, x) => ' .:+#'[Math.min(Math.floor((picture[y * SIDE + x] ?? 0) * 6), 4)]).join('')
  return Array.from({ length: SIDE }, (_, y) => pictures.map((picture) => row(picture, y)).join('  ')).join('\n')
}
