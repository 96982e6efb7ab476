// Mel filter bank and cepstral coefficients, which describe the shape of a spectrum as the ear resolves it.

export const melBandCount = 32
export const coefficientCount = 13
const lowestHertz = 60
const highestHertz = 8000
/** Minimum energy of a band, about -80 dBFS. Lower values are noise of the file format. */
const floor = 1e-3

const hertzToMel = (hertz: number) => 2595 * Math.log10(1 + hertz / 700)

export interface MelBands {
  /** Natural logarithms of the band energies of the last measured spectrum. */
  readonly logEnergies: Float64Array
  /** Cepstral coefficients of the last measured spectrum. */
  readonly coefficients: Float64Array
  measure: (power: Float64Array) => void
  /** Logarithm of the geometric mean divided by the arithmetic mean: 0 for white noise, very negative for a tone. */
  flatness: () => number
}

export function createMelBands(binCount: number, hertzPerBin: number): MelBands {
  const logEnergies = new Float64Array(melBandCount)
  const coefficients = new Float64Array(coefficientCount)
  const energies = new Float64Array(melBandCount)
  const lowest = hertzToMel(lowestHertz)
  const perBand = (hertzToMel(highestHertz) - lowest) / (melBandCount + 1)
  const places = Float64Array.from(
    { length: binCount },
    (_, bin) => (hertzToMel(bin * hertzPerBin) - lowest) / perBand,
  )
  // Triangles overlap by half: a bin belongs to the falling side of one band and the rising side of the next.
  const bandOfBin = Int16Array.from(places, (place) =>
    place < 0 || place >= melBandCount + 1 ? -2 : Math.floor(place),
  )
  const rise = places.map((place) => place - Math.floor(place))
  const cosines = Float64Array.from({ length: melBandCount * coefficientCount }, (_, i) => {
    const band = i % melBandCount
    const coefficient = Math.floor(i / melBandCount)
    return Math.cos((Math.PI * coefficient * (band + 0.5)) / melBandCount)
  })
  return {
    logEnergies,
    coefficients,
    measure(power) {
      energies.fill(0)
      for (let bin = 0; bin < power.length; bin += 1) {
        const band = bandOfBin[bin]!
        if (band === -2) continue
        if (band < melBandCount) energies[band]! += power[bin]! * rise[bin]!
        if (band > 0) energies[band - 1]! += power[bin]! * (1 - rise[bin]!)
      }
      for (let band = 0; band < melBandCount; band += 1) {
        logEnergies[band] = Math.log(energies[band]! + floor)
      }
      for (let at = 0; at < coefficientCount; at += 1) {
        let sum = 0
        for (let band = 0; band < melBandCount; band += 1) {
          sum += logEnergies[band]! * cosines[at * melBandCount + band]!
        }
        coefficients[at] = sum / melBandCount
      }
    },
    flatness() {
      let logSum = 0
      let sum = 0
      for (let band = 0; band < melBandCount; band += 1) {
        logSum += logEnergies[band]!
        sum += energies[band]! + floor
      }
      return logSum / melBandCount - Math.log(sum / melBandCount)
    },
  }
}
