meta:
  id: kiln
  title: Kiln directories and frames
  file-extension: kiln
  license: Apache-2.0
  ks-version: 0.9
  endian: le
  bit-endian: le
  encoding: UTF-8
doc: |
  A .kiln file: a bare tensor directory, or one or more frames. The first four bytes tell which.
  Numbers of paragraphs are those of SPEC.md. This description reads what is valid; it does not make every check that
  a reader has to make (quantization links, unique names, checksums, gaps between payloads).
  A frame's body has the layout of its schema, which no fixed description knows; it is given as bytes, but for
  the body of a model file.
doc-ref: SPEC.md
seq:
  - id: directory
    type: directory
    if: is_directory
  - id: frames
    type: frame
    repeat: eos
    if: not is_directory
instances:
  magic:
    pos: 0
    size: 4
  is_directory:
    value: 'magic == [0x4b, 0x49, 0x4c, 0x54]'
types:
  directory:
    doc: Paragraph 4. A table, and the payloads behind it.
    seq:
      - id: header
        type: directory_header
      - id: descriptors
        type: descriptor
        repeat: expr
        repeat-expr: header.tensor_count
      - id: names
        type: area
        size: header.heap_size
        doc: The names' UTF-8, one after the other.
      - id: padding
        type: zero
        repeat: expr
        repeat-expr: header.payload_base - header.heap_end
      - id: payloads
        type: area
        size: header.total_size - header.payload_base
        doc: From payload_base to the end of the block.
  directory_header:
    seq:
      - id: magic
        contents: KILT
      - id: version
        type: u1
        valid: 2
      - id: flags
        type: u1
        valid: 0
      - id: reserved
        type: u2
        valid: 0
      - id: total_size
        type: u8
        doc: The block, from its first byte to its last.
      - id: tensor_count
        type: u4
      - id: heap_size
        type: u4
      - id: payload_base
        type: u8
        doc: From the start of the block; a multiple of 64.
        valid:
          expr: _ % 64 == 0 and _ >= heap_end and _ < heap_end + 65536 and _ <= total_size
      - id: reserved_tail
        type: zero
        repeat: expr
        repeat-expr: 32
    instances:
      heap_end:
        value: 64 + 128 * tensor_count + heap_size
  descriptor:
    seq:
      - id: dimensions
        type: u8
        repeat: expr
        repeat-expr: 8
        doc: Outermost first, row-major; 0 from rank on.
      - id: byte_offset
        type: u8
        doc: From payload_base.
        valid:
          expr: _ % 64 == 0
      - id: byte_length
        type: u8
      - id: name_offset
        type: u4
      - id: name_length
        type: u4
      - id: dtype
        type: u2
        enum: dtype
        valid:
          in-enum: true
      - id: rank
        type: u1
        valid:
          max: 8
      - id: scheme
        type: u1
        enum: scheme
        valid:
          in-enum: true
      - id: quant_axis
        type: u2
        doc: 0xFFFF without links.
      - id: flags
        type: u2
        valid:
          max: 1
      - id: group_size
        type: u4
      - id: scale_index
        type: u4
        doc: 0xFFFFFFFF without links.
      - id: outer_index
        type: u4
        doc: 0xFFFFFFFF without an outer tensor.
      - id: checksum
        type: u4
        doc: CRC-32 of the payload, if has_checksum.
      - id: reserved
        type: zero
        repeat: expr
        repeat-expr: 16
    instances:
      has_checksum:
        value: flags == 1
      name:
        io: _parent.names._io
        pos: name_offset
        type: str
        size: name_length
        doc: Empty for a tensor without a name.
      name_bytes:
        io: _parent.names._io
        pos: name_offset
        size: name_length
        doc: The name as it stands, where a language's decoder would drop a leading U+FEFF.
      data:
        io: _parent.payloads._io
        pos: byte_offset
        size: byte_length
        doc: The payload, read when it is asked for.
  frame:
    doc: Paragraph 6.
    seq:
      - id: header
        type: frame_header
      - id: schema
        type: schema_text
        size: header.header_size - 32
        if: header.has_schema
      - id: body
        size: header.body_length
        type:
          switch-on: is_model
          cases:
            true: model
            false: value
    instances:
      is_model:
        value: header.has_schema and schema.text == 'struct{tensors:tensors,metadata:dict<string,string>,}'
  frame_header:
    seq:
      - id: magic
        contents: KILF
      - id: version
        type: u1
        valid: 1
      - id: flags
        type: u1
        valid:
          max: 3
      - id: reserved
        type: u2
        valid: 0
      - id: header_size
        type: u4
        valid:
          expr: 'has_schema ? _ % 64 == 0 and _ > 0 and _ <= 65600 : _ == 32'
      - id: checksum
        type: u4
        doc: CRC-32 of the body, if has_checksum.
      - id: schema_hash
        type: u8
      - id: body_length
        type: u8
    instances:
      has_schema:
        value: flags % 2 == 1
      has_checksum:
        value: flags >= 2
  schema_text:
    seq:
      - id: text
        type: str
        encoding: ASCII
        size-eos: true
        terminator: 0
  value:
    doc: A value whose layout is that of its schema (paragraph 2).
    seq:
      - id: bytes
        size-eos: true
  model:
    doc: The body of a model file (paragraph 7).
    seq:
      - id: tensors
        type: directory
      - id: metadata_count
        type: u4
      - id: metadata
        type: entry
        repeat: expr
        repeat-expr: metadata_count
  entry:
    seq:
      - id: key
        type: text
      - id: value
        type: text
  text:
    seq:
      - id: length
        type: u4
      - id: value
        type: str
        size: length
  zero:
    seq:
      - id: byte
        type: u1
        valid: 0
  area:
    doc: Bytes that are read by whoever knows what lies where in them.
enums:
  scheme:
    0: none
    1: scales
    2: scales_and_outer
  dtype:
    0x0001: bool
    0x0002: u8
    0x0003: i8
    0x0004: u16
    0x0005: i16
    0x0006: u32
    0x0007: i32
    0x0008: u64
    0x0009: i64
    0x000a: u4
    0x000b: i4
    0x000c: u2
    0x000d: i2
    0x000e: u1
    0x0101: f16
    0x0102: bf16
    0x0103: f32
    0x0104: f64
    0x0105: c64
    0x0106: c128
    0x0201: f8e4m3
    0x0202: f8e5m2
    0x0203: f8e4m3fnuz
    0x0204: f8e5m2fnuz
    0x0205: e8m0
    0x0206: e3m2
    0x0207: e2m3
    0x0208: e2m1
    0x1002: ggml_q4_0
    0x1003: ggml_q4_1
    0x1006: ggml_q5_0
    0x1007: ggml_q5_1
    0x1008: ggml_q8_0
    0x1009: ggml_q8_1
    0x100a: ggml_q2_k
    0x100b: ggml_q3_k
    0x100c: ggml_q4_k
    0x100d: ggml_q5_k
    0x100e: ggml_q6_k
    0x100f: ggml_q8_k
    0x1010: ggml_iq2_xxs
    0x1011: ggml_iq2_xs
    0x1012: ggml_iq3_xxs
    0x1013: ggml_iq1_s
    0x1014: ggml_iq4_nl
    0x1015: ggml_iq3_s
    0x1016: ggml_iq2_s
    0x1017: ggml_iq4_xs
    0x101d: ggml_iq1_m
    0x1022: ggml_tq1_0
    0x1023: ggml_tq2_0
    0x1027: ggml_mxfp4
    0x1028: ggml_nvfp4
    0x1029: ggml_q1_0
    0x102a: ggml_q2_0
