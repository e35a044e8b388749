; Types, functions and methods

(type_spec
  name: (type_identifier) @name
  type: (struct_type (field_declaration_list) @body)) @struct

(type_spec
  name: (type_identifier) @name
  type: (interface_type "{" @body)) @interface

(type_spec
  name: (type_identifier) @name
  type: [
    (array_type) (channel_type) (function_type) (generic_type) (map_type) (pointer_type)
    (qualified_type) (slice_type) (type_identifier)
  ]) @type

(function_declaration
  name: (identifier) @name
  body: (block) @body) @function

(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @owner
        (generic_type type: (type_identifier) @owner)
        (pointer_type (type_identifier) @owner)
        (pointer_type (generic_type type: (type_identifier) @owner))
      ]))
  name: (field_identifier) @name
  body: (block) @body) @method

(type_declaration) @outer

; An embedded field

(struct_type
  (field_declaration_list
    (field_declaration
      !name
      type: [(type_identifier) (qualified_type) (generic_type)] @extends)))

(interface_type (type_elem . [(type_identifier) (qualified_type)] @extends .))

; What is said of them

(comment) @comment

; Imports

(package_clause) @import
(import_declaration) @import

(import_spec
  name: (_)? @alias
  path: (_) @from) @import

; Calls

(call_expression function: (identifier) @call)
