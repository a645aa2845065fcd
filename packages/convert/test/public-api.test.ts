import * as convert from 'kiln-convert'
import { expect, test } from 'vitest'

test('what can be imported is what is listed here', () => {
  expect(Object.keys(convert).sort()).toEqual([
    'SNIFFED', 'folderOf', 'fromKiln', 'lossesOf', 'openForeign', 'openForeignFolder', 'openGguf', 'openGgufSet', 'openNpy', 'openNpz', 'openOnnx',
    'openSafetensors', 'openSafetensorsSet', 'openTensorProto', 'openTfjs', 'plainName', 'plainPath', 'sniff', 'sniffSource', 'writeGguf', 'writeGgufSet',
    'writeNpy', 'writeNpz', 'writeSafetensors', 'writeSafetensorsShards',
  ])
})
