; Types, traits, modules and functions

(struct_item name: (type_identifier) @name body: (field_declaration_list)? @body) @struct
(union_item name: (type_identifier) @name) @struct
(enum_item name: (type_identifier) @name body: (_) @body) @enum
(trait_item name: (type_identifier) @name body: (_) @body) @trait
(mod_item name: (identifier) @name body: (_) @body) @module
(macro_definition name: (identifier) @name) @macro
(function_item name: (identifier) @name body: (block) @body) @function

(impl_item type: (_) @owner body: (declaration_list) @body) @scope
(impl_item trait: (_) @implements)

(trait_item
  bounds: (trait_bounds
    [(type_identifier) (scoped_type_identifier) (generic_type)] @extends))

; What is said of them

[(line_comment) (block_comment)] @comment
(attribute_item) @attribute

; Imports

(use_declaration argument: (_) @from) @import
(mod_item name: (identifier) @child !body) @import

; Calls

(call_expression function: (identifier) @call)

(call_expression
  function: (field_expression value: (self) field: (field_identifier) @self_call))

(call_expression
  function: (scoped_identifier path: (identifier) @_self name: (identifier) @self_call)
  (#eq? @_self "Self"))
